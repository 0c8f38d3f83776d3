import BlindedPaths
import LightningCoding
import LightningCrypto
import Testing

// Exact paths, payinfos and refusals stand in Vectors/route-blinding/payment-path.json.

@Suite("Payment paths", .timeLimit(.minutes(5)))
struct PaymentPathTests {
    private func relay(
        _ node: Node, _ terms: PaymentRelay, minimum: UInt64 = 1,
        maximum: Millisatoshi = .maximum
    ) throws -> PaymentPath.Relay {
        PaymentPath.Relay(
            nodeID: try node.id, next: .channel(ShortChannelID(1)), terms: terms,
            htlcMinimum: Millisatoshi(minimum), htlcMaximum: maximum)
    }

    private func destination(minimum: UInt64 = 1) throws -> PaymentPath.Destination {
        PaymentPath.Destination(
            nodeID: try Node.eve.id, pathID: SecretBytes(filled(0x11)), expiryHeight: 800_000,
            minFinalCLTVExpiryDelta: 18, htlcMinimum: Millisatoshi(minimum))
    }

    /// Every msat that a payer adds by a payinfo arrives at each node as it wants it.
    private func pay(_ delivered: UInt64, over path: PaymentPath, keys: [SecretKey]) throws -> PaymentInstruction {
        let info = path.payinfo
        let fee = UInt64(info.feeBase) + delivered * UInt64(info.feeProportionalMillionths) / 1_000_000
        var amount = Millisatoshi(delivered + fee)
        var expiry = UInt32(800_000) + UInt32(info.cltvExpiryDelta)
        for (index, data) in try walk(path.path, keys: keys).enumerated() {
            let order = try PaymentInstruction(data, isFinal: index == keys.count - 1, amount: amount, expiry: expiry)
            guard case .forward(_, amount: let rest, expiry: let left) = order else {
                #expect(amount.msat >= delivered)
                #expect(expiry == 800_018)
                return order
            }
            (amount, expiry) = (rest, left)
        }
        throw NotTheNode()
    }

    @Test(
        "A payer who adds what the payinfo says gets through with the least, the most and odd amounts",
        arguments: [
            [PaymentRelay(cltvExpiryDelta: 40, feeProportionalMillionths: 150, feeBase: 100)],
            [
                PaymentRelay(cltvExpiryDelta: 50, feeProportionalMillionths: 0, feeBase: 10_000),
                PaymentRelay(cltvExpiryDelta: 75, feeProportionalMillionths: 150, feeBase: 100),
                PaymentRelay(cltvExpiryDelta: 25, feeProportionalMillionths: 100, feeBase: 0),
            ],
            [
                PaymentRelay(cltvExpiryDelta: 1, feeProportionalMillionths: 333_333, feeBase: 7),
                PaymentRelay(cltvExpiryDelta: 2, feeProportionalMillionths: 777_777, feeBase: 13),
                PaymentRelay(cltvExpiryDelta: 3, feeProportionalMillionths: 1, feeBase: 1),
            ],
        ])
    func payable(terms: [PaymentRelay]) throws {
        let nodes = [Node.bob, .carol, .dave].prefix(terms.count) + [.eve]
        let relays = try zip(nodes, terms).map { try relay($0, $1, minimum: 900, maximum: Millisatoshi(1_000_000)) }
        let path = try PaymentPath(to: destination(), through: relays, secret: SecretKey(filled(6)))
        let least = path.payinfo.htlcMinimum.msat
        let most = path.payinfo.htlcMaximum.msat
        #expect(least == 900)
        let keys = try nodes.map { try $0.key }
        for amount in [least, least + 1, 12_345, 99_999, most] {
            #expect(try pay(amount, over: path, keys: keys) == .receive(pathID: SecretBytes(filled(0x11))))
        }
        #expect(throws: PaymentInstruction.Fault.amountTooLow) { try pay(899 / 2, over: path, keys: keys) }
    }

    @Test("A payment that expires one block after the path does is refused by the first node")
    func expired() throws {
        let terms = PaymentRelay(cltvExpiryDelta: 40, feeProportionalMillionths: 0, feeBase: 0)
        let keys = try Node.keys(.bob, .eve)
        let path = try PaymentPath(to: destination(), through: [relay(Node.bob, terms)], secret: SecretKey(filled(6)))
        let data = try walk(path.path, keys: keys)
        #expect(data.map(\.paymentConstraints?.maxCLTVExpiry) == [800_058, 800_018])
        let amount = Millisatoshi(1000)
        #expect(throws: PaymentInstruction.Fault.expiryTooHigh) {
            try PaymentInstruction(data[0], isFinal: false, amount: amount, expiry: 800_059)
        }
        #expect(
            try PaymentInstruction(data[0], isFinal: false, amount: amount, expiry: 800_058)
                == .forward(to: .channel(ShortChannelID(1)), amount: amount, expiry: 800_018))
    }

    @Test("The recipient alone is a path without fees, with his own delta")
    func oneHop() throws {
        let eve = try Node.eve.key
        let path = try PaymentPath(to: destination(), secret: SecretKey(filled(6)))
        #expect(path.path.introductionNode == .node(eve.publicKey))
        #expect(path.payinfo.feeBase == 0)
        #expect(path.payinfo.feeProportionalMillionths == 0)
        #expect(path.payinfo.cltvExpiryDelta == 18)
        #expect(path.payinfo.htlcMaximum == .maximum)
        #expect(path.payinfo.features == [])
        let data = try walk(path.path, keys: [eve])[0]
        #expect(data.pathID == SecretBytes(filled(0x11)))
        #expect(data.padding == nil)
        #expect(data.paymentRelay == nil)
        #expect(data.shortChannelID == nil && data.nextNodeID == nil)
    }

    @Test("No node gets more than its maximum when the payinfo's maximum is sent, and one does with one msat more")
    func maximum() throws {
        let terms = [
            PaymentRelay(cltvExpiryDelta: 1, feeProportionalMillionths: 123_456, feeBase: 7),
            PaymentRelay(cltvExpiryDelta: 1, feeProportionalMillionths: 54_321, feeBase: 3),
        ]
        for first in UInt64(9_990)...10_010 {
            let maxima = [first, 8_900]
            let relays = try zip([Node.bob, .carol], zip(terms, maxima)).map { node, hop in
                try relay(node, hop.0, maximum: Millisatoshi(hop.1))
            }
            let info = try PaymentPath(to: destination(), through: relays, secret: SecretKey(filled(6))).payinfo
            #expect(overfilled(sending: info.htlcMaximum.msat, info, terms, maxima) == false)
            #expect(overfilled(sending: info.htlcMaximum.msat + 1, info, terms, maxima))
        }
    }

    /// Whether some node gets more than its maximum from a payer who rounds fees up.
    private func overfilled(
        sending delivered: UInt64, _ info: BlindedPayinfo, _ terms: [PaymentRelay], _ maxima: [UInt64]
    ) -> Bool {
        let fee = (delivered * UInt64(info.feeProportionalMillionths) + 999_999) / 1_000_000
        var amount: Millisatoshi? = Millisatoshi(delivered + UInt64(info.feeBase) + fee)
        for (relay, maximum) in zip(terms, maxima) {
            guard let incoming = amount, incoming.msat <= maximum else { return true }
            amount = relay.amountToForward(of: incoming)
        }
        return false
    }
}
