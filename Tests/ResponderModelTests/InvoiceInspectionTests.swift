import Bolt11
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

@Suite("The inspection of a backend's invoice", .timeLimit(.minutes(5)))
struct InvoiceInspectionTests {
    let preimage: Preimage
    let now = UnixTime(1_700_000_000)

    init() throws {
        preimage = try Preimage(Array(repeating: 7, count: 32))
    }

    func order(_ description: InvoiceOrder.Description = .hashed("[[\"text/plain\",\"Tea\"]]")) -> InvoiceOrder {
        InvoiceOrder(
            amount: Millisatoshi(21_000), description: description, expiry: 600, label: "l", preimage: preimage)
    }

    /// The invoice that answers `order()`, with what a case changes.
    func answer(
        network: Network = .regtest,
        amount: Millisatoshi? = Millisatoshi(21_000),
        timestamp: UnixTime = UnixTime(1_700_000_000),
        preimage: Preimage? = nil,
        named: Preimage? = nil,
        description: Bolt11Description = .hash(SHA256.hash(Array("[[\"text/plain\",\"Tea\"]]".utf8))),
        expiry: UInt64 = 600,
        signer: UInt8 = 1
    ) throws -> BackendInvoice {
        let hash = (preimage ?? self.preimage).paymentHash
        let draft = Bolt11Draft(
            network: network,
            amount: amount,
            timestamp: timestamp,
            paymentHash: hash,
            paymentSecret: try PaymentSecret(Array(repeating: 9, count: 32)),
            description: description,
            expiry: expiry
        )
        let key = try SecretKey(Array(repeating: signer, count: 32))
        return BackendInvoice(
            bolt11: try draft.signed(by: key).text, paymentHash: (named ?? preimage ?? self.preimage).paymentHash)
    }

    func inspect(
        _ answer: BackendInvoice, _ order: InvoiceOrder? = nil
    ) throws(InspectionFault) -> UnverifiedBolt11Invoice {
        try InvoiceInspection(network: .regtest, order: order ?? self.order()).inspect(answer, at: now)
    }

    @Test("What was ordered passes, with the hash of the text or the text itself")
    func ordered() throws {
        #expect(try inspect(answer()).paymentHash == preimage.paymentHash)
        #expect(try inspect(answer(description: .text("Tea")), order(.text("Tea"))).amount == Millisatoshi(21_000))
    }

    @Test("An invoice for another chain is refused")
    func otherNetwork() throws {
        let answer = try answer(network: .bitcoin)
        #expect(throws: InspectionFault.network) { try inspect(answer) }
    }

    @Test("An invoice for another amount is refused", arguments: [20_999, 21_001, nil] as [UInt64?])
    func otherAmount(msat: UInt64?) throws {
        let answer = try answer(amount: msat.map { Millisatoshi($0) })
        #expect(throws: InspectionFault.amount) { try inspect(answer) }
    }

    @Test("The text where the hash was ordered is refused, and the hash where the text was")
    func otherDescription() throws {
        let text = "[[\"text/plain\",\"Tea\"]]"
        let withText = try answer(description: .text(text))
        #expect(throws: InspectionFault.description) { try inspect(withText) }
        let withHash = try answer()
        #expect(throws: InspectionFault.description) { try inspect(withHash, order(.text(text))) }
        let hashOfHexadecimal = try answer(
            description: .text(Hexadecimal.encode(SHA256.hash(Array(text.utf8))))
        )
        #expect(throws: InspectionFault.description) { try inspect(hashOfHexadecimal) }
    }

    @Test("A payment hash other than the invoice's is refused")
    func otherHash() throws {
        let answer = try answer(named: Preimage(Array(repeating: 8, count: 32)))
        #expect(throws: InspectionFault.paymentHash) { try inspect(answer) }
    }

    @Test("An invoice that does not use the given preimage is refused")
    func otherPreimage() throws {
        let answer = try answer(preimage: Preimage(Array(repeating: 8, count: 32)))
        #expect(throws: InspectionFault.preimageNotUsed) { try inspect(answer) }
    }

    @Test("An invoice that lives shorter or longer than ordered is refused, and one that has expired by its clock")
    func otherExpiry() throws {
        for answer in [try answer(expiry: 599), try answer(expiry: 601)] {
            #expect(throws: InspectionFault.expiry) { try inspect(answer) }
        }
        #expect(throws: InspectionFault.expired(behind: 600)) {
            try inspect(answer(timestamp: UnixTime(1_699_999_400)))
        }
        #expect(
            InspectionFault.expired(behind: 600).reason
                == "it has expired already: the node's clock is 600 seconds behind; synchronize it")
        #expect(try inspect(answer(timestamp: UnixTime(1_699_999_401))).expiresAt == UnixTime(1_700_000_001))
    }

    /// A node that says which keys sign for it: those of the bytes 1, and of others.
    private func node(_ others: [UInt8] = []) throws -> NodeInfo {
        func key(_ byte: UInt8) throws -> PublicKey { try SecretKey(Array(repeating: byte, count: 32)).publicKey }
        return NodeInfo(nodeID: try key(1), network: .regtest, blockHeight: 1, otherPayees: try others.map(key))
    }

    @Test("An invoice that pays somebody else than the node is refused, unless the node has said so")
    func otherPayee() throws {
        let (own, other) = (try answer(), try answer(signer: 2))
        let inspection = InvoiceInspection(of: try node(), order: order())
        #expect(try inspection.inspect(own, at: now).paymentHash == preimage.paymentHash)
        #expect(throws: InspectionFault.payee) { try inspection.inspect(other, at: now) }
        let virtual = InvoiceInspection(of: try node([3, 2]), order: order())
        #expect(try virtual.inspect(other, at: now).paymentHash == preimage.paymentHash)
        #expect(try virtual.inspect(own, at: now).paymentHash == preimage.paymentHash)
    }

    @Test("An invoice that names the node but is signed by nobody is refused")
    func brokenSignature() throws {
        let good = try answer()
        let text = try Bech32.decode(good.bolt11, checksum: .bech32)
        let inspection = InvoiceInspection(of: try node(), order: order())
        // Of every second number of 32 bytes no point is known, and then there is no key that has signed.
        let start = text.groups.count - 104
        let broken = (0..<32).lazy.map { (group: UInt8) in
            var groups = text.groups
            groups[start + 1] = group
            return Bech32.encode(
                Bech32.Text(humanReadablePart: text.humanReadablePart, groups: groups), checksum: .bech32)
        }
        .first { text in
            (try? UnverifiedBolt11Invoice(text)).map { (try? $0.verified()) == nil } ?? false
        }
        let answer = BackendInvoice(bolt11: try #require(broken), paymentHash: good.paymentHash)
        #expect(throws: InspectionFault.signature) { try inspection.inspect(answer, at: now) }
    }

    @Test("What is no invoice is refused with the reason")
    func unreadable() throws {
        let answer = BackendInvoice(bolt11: "lnbc1", paymentHash: preimage.paymentHash)
        #expect {
            try inspect(answer)
        } throws: { fault in
            if case .unreadable? = fault as? InspectionFault { true } else { false }
        }
    }
}
