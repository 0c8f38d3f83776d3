import BackendContract
import Bolt11
import FakeNode
import LightningCoding
import LightningCrypto
import LoopbackServer
import Phoenixd
import Platform
import ResponderModel
import Testing

@Suite("Invoices of phoenixd", .timeLimit(.minutes(5)))
struct InvoiceTests {
    @Test("An order is a form with whole satoshis, the hash in digits, and our label")
    func order() async throws {
        let fixture = try PhoenixdFixture()
        let order = InvoiceOrder.sample()
        _ = try await fixture.backend().createInvoice(order)
        let request = try #require(fixture.node.server.requests.last)
        let hash = Hexadecimal.encode(SHA256.hash(Array(#"[["text/plain","Pay to alice"]]"#.utf8)))
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "descriptionHash=\(hash)&amountSat=21&expirySeconds=600&externalId=\(order.label)")
        #expect(request.header("content-type") == "application/x-www-form-urlencoded")
        #expect(
            request.header("authorization")
                == "Basic " + Base64.encode(Array((":" + FakePhoenixd.password).utf8)))
    }

    @Test(
        "An amount that is not whole satoshis is refused before the node is asked",
        arguments: [1, 999, 1001, 21_500] as [UInt64])
    func amounts(msat: UInt64) async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        #expect(
            await fault { () async throws(BackendFault) in
                _ = try await backend.createInvoice(.sample("odd", Millisatoshi(msat)))
            } == .amountNotPossible)
        #expect(fixture.node.server.requests.isEmpty)
    }

    @Test("A text is sent as a form has it, up to 128 bytes; of a longer one phoenixd's reason is told")
    func text() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        let limit = backend.capabilities.textLimit
        let text = "Tea & \"cake\" = 50% + ☕️"
        let answer = try await backend.createInvoice(.sample("a", Millisatoshi(1000), .text(text)))
        #expect(
            try InvoiceInspection(network: .regtest, order: .sample("a", Millisatoshi(1000), .text(text)))
                .inspect(answer, at: fixture.now).description == .text(text))
        let long = String(repeating: "x", count: limit + 1)
        #expect(
            await fault { () async throws(BackendFault) in
                _ = try await backend.createInvoice(.sample("b", Millisatoshi(1000), .text(long)))
            }
                == .refused(
                    "status 400: Request parameter description is too long (max 128 characters)"))
    }

    @Test("The hash's digits in place of the hash are caught by the inspection")
    func inspection() async throws {
        let fixture = try PhoenixdFixture()
        fixture.node.state.withLock { $0.isPlainText = true }
        let order = InvoiceOrder.sample()
        let answer = try await fixture.backend().createInvoice(order)
        #expect(throws: InspectionFault.description) {
            try InvoiceInspection(network: .regtest, order: order).inspect(answer, at: fixture.now)
        }
    }

    @Test("An invoice of another network, or of a node whose clock is behind, is caught by the inspection")
    func networkAndClock() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        let order = InvoiceOrder.sample()
        let late = try await backend.createInvoice(order)
        #expect(throws: InspectionFault.expired(behind: 3600)) {
            try InvoiceInspection(network: .regtest, order: order).inspect(late, at: fixture.now.adding(seconds: 3600))
        }
        fixture.node.state.withLock { $0.chain = "mainnet" }
        let foreign = try await backend.createInvoice(order)
        #expect(throws: InspectionFault.network) {
            try InvoiceInspection(network: .regtest, order: order).inspect(foreign, at: fixture.now)
        }
        #expect(try await backend.nodeInfo().network == .bitcoin)
    }

    @Test("The preimage of an unpaid invoice, which phoenixd shows, is not taken over")
    func preimageOfUnpaidInvoice() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        let answer = try await backend.createInvoice(.sample())
        let shown = fixture.node.state.withLock { $0.payments[0].json(at: $0.now)["preimage"]?.string }
        #expect(shown?.utf8.count == 64)
        #expect(try await backend.status(of: answer.paymentHash) == .open)
        fixture.node.advance(milliseconds: 601_000)
        #expect(try await backend.status(of: answer.paymentHash) == .closed)
    }

    @Test(
        "What the node keeps for liquidity is not received; a payment that goes wholly into it is settled all the same")
    func feeCredit() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        for (fee, received) in [(5, 16_000), (21, 0)] as [(UInt64, UInt64)] {
            fixture.node.state.withLock { $0.liquidityFee = fee }
            let answer = try await backend.createInvoice(.sample("\(fee)"))
            try fixture.node.pay(answer.bolt11, Millisatoshi(21_000))
            guard case .settled(_, Millisatoshi(received), _) = try await backend.status(of: answer.paymentHash) else {
                Issue.record("fee \(fee)")
                continue
            }
        }
    }

    @Test("A paid invoice whose preimage is not its hash's is no answer")
    func wrongPreimage() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        let answer = try await backend.createInvoice(.sample())
        try fixture.node.pay(answer.bolt11, Millisatoshi(21_000))
        let json = fixture.node.state.withLock { $0.payments[0].json(at: $0.now) }
        var object = try #require(json.object)
        object["preimage"] = .string(String(repeating: "09", count: 32))
        fixture.node.server.mode = .answering(LoopbackAnswer(JSONValue.object(object).serialized()))
        #expect(
            await fault { () async throws(BackendFault) in _ = try await backend.status(of: answer.paymentHash) }
                == .malformedAnswer("preimage"))
    }
}
