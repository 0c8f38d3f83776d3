import Bolt11
import EmbeddedNode
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing

@Suite("Invoices of an embedded node", .timeLimit(.minutes(5)))
struct InvoiceTests {
    let fixture = NodeFixture()

    @Test("An invoice says what was ordered, in a signature of the node")
    func contents() async throws {
        let node = try await fixture.start()
        let answer = try await node.createInvoice(.sample())
        let invoice = try Bolt11Invoice(answer.bolt11)
        #expect(invoice.payee == (try await node.nodeInfo().nodeID))
        #expect(invoice.contents.network == .regtest)
        #expect(invoice.contents.amount == Millisatoshi(21_001))
        #expect(invoice.contents.timestamp == fixture.now)
        #expect(invoice.contents.expiry == 60)
        #expect(invoice.contents.paymentHash == answer.paymentHash)
        #expect(invoice.contents.description == .hash(SHA256.hash(Array("[[\"text/plain\",\"⚡️\"]]".utf8))))
        #expect(invoice.contents.features.bits == [8, 14, 17])
    }

    @Test(
        "It passes the inspection of every backend's invoices",
        arguments: [InvoiceOrder.Description.text("Tea"), .hashed("Tea")])
    func inspection(_ description: InvoiceOrder.Description) async throws {
        let node = try await fixture.start()
        let preimage = try Preimage(Array(repeating: 9, count: 32))
        let order = InvoiceOrder.sample(description: description, preimage: preimage)
        let answer = try await node.createInvoice(order)
        _ = try InvoiceInspection(network: .regtest, order: order).inspect(answer, at: fixture.now)
        #expect(answer.paymentHash == preimage.paymentHash)
    }

    @Test("Each has a preimage and a secret of its own")
    func unique() async throws {
        let node = try await fixture.start()
        let first = try Bolt11Invoice(try await node.createInvoice(.sample("first")).bolt11)
        let second = try Bolt11Invoice(try await node.createInvoice(.sample("second")).bolt11)
        #expect(first.contents.paymentHash != second.contents.paymentHash)
        #expect(first.contents.paymentSecret != second.contents.paymentSecret)
    }

    @Test("1 msat to 0.1 BTC can be received, both ends included")
    func limits() async throws {
        let node = try await fixture.start()
        let (least, most) = (Millisatoshi(1), try Millisatoshi(text: "0.1btc"))
        #expect(try await node.limits() == ReceiveLimits(minimum: least, maximum: most))
        for amount in [least, most] { _ = try await node.createInvoice(.sample("\(amount)", amount: amount)) }
        for amount in [UInt64(0), most.msat + 1, .max] {
            await #expect(throws: BackendFault.amountNotPossible) {
                try await node.createInvoice(.sample("\(amount)", amount: Millisatoshi(amount)))
            }
        }
    }

    @Test("A preimage that was used before is refused")
    func duplicates() async throws {
        let node = try await fixture.start()
        let preimage = try Preimage(Array(repeating: 9, count: 32))
        _ = try await node.createInvoice(.sample("first", preimage: preimage))
        await #expect(throws: BackendFault.duplicate) {
            try await node.createInvoice(.sample("second", preimage: preimage))
        }
        _ = try await node.createInvoice(.sample("second"))
    }

    @Test("A text that does not fit into an invoice is refused, its hash is not")
    func longText() async throws {
        let node = try await fixture.start()
        let text = String(repeating: "x", count: 640)
        await #expect(throws: BackendFault.refused("field d is too long")) {
            try await node.createInvoice(.sample(description: .text(text)))
        }
        _ = try await node.createInvoice(.sample(description: .hashed(text)))
    }

    @Test("Without randomness there is no invoice")
    func noRandomness() async throws {
        let node = try await fixture.start()
        let poor = try await EmbeddedBackend(
            node.configuration, key: NodeFixture.key(), random: { _ throws(CryptoFault) in throw .entropyUnavailable }
        )
        await #expect(throws: BackendFault.refused("no randomness")) { try await poor.createInvoice(.sample()) }
    }

    @Test("An invoice is honored after a restart, and by another process's node on the same file")
    func restart() async throws {
        let node = try await fixture.start()
        let answer = try await node.createInvoice(.sample())
        await node.close()
        let other = try await fixture.start()
        #expect(try await other.status(of: answer.paymentHash) == .open)
        try await other.settle(answer.paymentHash, at: fixture.now)
    }

    @Test("An invoice whose record was lost is paid all the same, for what it says, and once")
    func lostRecord() async throws {
        let node = try await fixture.start()
        let answer = try await node.createInvoice(.sample())
        await node.close()
        PrivateFile(path: fixture.databasePath).remove()
        let bereft = try await fixture.start()
        #expect(try await bereft.status(of: answer.paymentHash) == nil)
        let settlement = try await bereft.pay(answer.bolt11, at: fixture.now)
        #expect(settlement.preimage.paymentHash == answer.paymentHash)
        #expect(settlement.received == Millisatoshi(21_001))
        await #expect(throws: SettlementFault.alreadySettled) { try await bereft.pay(answer.bolt11, at: fixture.now) }
        let later = try await bereft.createInvoice(.sample("later"))
        await #expect(throws: SettlementFault.expired) {
            try await bereft.pay(later.bolt11, at: fixture.now.adding(seconds: 60))
        }
    }

    @Test("Another node's invoice is not paid")
    func foreignInvoice() async throws {
        let elsewhere = NodeFixture()
        let other = try await EmbeddedBackend(
            EmbeddedConfiguration(databasePath: elsewhere.databasePath),
            key: SecretKey([UInt8](repeating: 3, count: 32)), clock: { [now = fixture.now] in now })
        let answer = try await other.createInvoice(.sample())
        let node = try await fixture.start()
        await #expect(throws: SettlementFault.unknown) { try await node.pay(answer.bolt11, at: fixture.now) }
    }
}
