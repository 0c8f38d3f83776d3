import BlindedPaths
import LightningCoding
import LightningCrypto
import Testing

// Which streams are refused, rule by rule, stands in Vectors/route-blinding/unblind.json, and which orders in
// message-order.json and payment-order.json.

@Suite("Orders for the nodes of a path", .timeLimit(.minutes(5)))
struct RecipientDataTests {
    @Test("Every field comes back as it was written")
    func allFields() throws {
        var data = RecipientData()
        data.padding = 3
        data.shortChannelID = ShortChannelID(7)
        data.nextNodeID = try Node.bob.id
        data.pathID = SecretBytes(filled(9))
        data.nextPathKeyOverride = try Node.carol.id
        data.paymentRelay = PaymentRelay(cltvExpiryDelta: 1, feeProportionalMillionths: 2, feeBase: 3)
        data.paymentConstraints = PaymentConstraints(maxCLTVExpiry: 4, htlcMinimum: Millisatoshi(5))
        data.allowedFeatures = []
        data.unknownRecords = [TLVRecord(type: 5, value: [1]), TLVRecord(type: 65539, value: [])]
        let read = try RecipientData(parsing: data.encoded())
        #expect(read == data)
        #expect(try TLVStream(parsing: data.encoded()).records.map(\.type) == [1, 2, 4, 5, 6, 8, 10, 12, 14, 65539])
    }

    @Test("No field is an empty stream")
    func noField() throws {
        #expect(try RecipientData().encoded() == [])
        #expect(try RecipientData(parsing: []) == RecipientData())
    }

    @Test("An unknown record that repeats a known field is not written")
    func unknownRepeatsKnown() throws {
        var data = RecipientData()
        data.pathID = SecretBytes([1])
        data.unknownRecords = [TLVRecord(type: 6, value: [2])]
        #expect(throws: CodingFault(.duplicate, at: 3)) { try data.encoded() }
        let node = try BlindedRoute.Node(nodeID: Node.bob.id, data: data)
        #expect(throws: BlindedPathFault.invalidRecipientData) {
            try BlindedRoute([node]).blinded(secret: SecretKey(filled(1)))
        }
        #expect(throws: BlindedPathFault.invalidRecipientData) { try BlindedRoute([node]).padded() }
    }

    @Test("The path id does not show in text")
    func pathIDIsHidden() throws {
        var data = RecipientData()
        data.pathID = SecretBytes(filled(0xAB))
        #expect(!"\(data)".contains("171"))
        #expect(!"\(data)".lowercased().contains("abab"))
    }

    @Test("A relay's share is rounded up for the next node, never above what came in")
    func shares() {
        for rate in [0, 1, 999_999, 1_000_000, UInt32.max] {
            for base in [0, 1, UInt32.max] {
                let relay = PaymentRelay(cltvExpiryDelta: 0, feeProportionalMillionths: rate, feeBase: base)
                for incoming in [0, 1, 2, UInt64(base), UInt64(base) + 1, .max] {
                    guard let share = relay.amountToForward(of: Millisatoshi(incoming)) else {
                        #expect(incoming < base)
                        continue
                    }
                    // The largest fee that the node may take of the share is covered by the difference, save for the
                    // fraction that rounding costs it.
                    let rest = UInt128(incoming) - UInt128(base)
                    let product = UInt128(share.msat) * (1_000_000 + UInt128(rate))
                    #expect(share.msat <= incoming)
                    #expect(product >= rest * 1_000_000)
                    #expect(product < rest * 1_000_000 + 1_000_000 + UInt128(rate))
                }
            }
        }
    }
}
