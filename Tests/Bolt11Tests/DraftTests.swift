import Bolt11
import LightningCoding
import LightningCrypto
import Testing

@Suite("A draft", .timeLimit(.minutes(5)))
struct DraftTests {
    @Test("A signed draft reads back as what was signed")
    func readsBack() throws {
        let key = try publishedKey()
        let node = try publishedNode()
        let hop = RouteHint.Hop(
            nodeID: node, shortChannelID: ShortChannelID(.max), feeBase: 1, feeProportionalMillionths: .max,
            cltvExpiryDelta: 40)
        let signed = try draft(
            description: .hash([UInt8](repeating: 9, count: 32)), expiry: 60, minFinalCLTVExpiryDelta: 144,
            features: Bolt11Features(required: [.paymentSecret], optional: [.basicMultiPartPayment]), payee: node,
            paymentMetadata: [1, 0xfa],
            fallbackAddresses: [FallbackAddress(.witnessProgram(version: 1), [UInt8](repeating: 3, count: 32))],
            routeHints: [RouteHint([hop, hop]), RouteHint([hop])]
        ).signed(by: key)
        let read = try Bolt11Invoice(signed.text)
        #expect(read == signed)
        #expect(read.contents == signed.contents)
        #expect(read.payee == signed.payee)
        #expect(read.signature == signed.signature)
        #expect(read.expiry == 60)
        #expect(read.minFinalCLTVExpiryDelta == 144)
        #expect(read.paymentMetadata == [1, 0xfa])
        #expect(read.routeHints.map(\.hops.count) == [2, 1])
        #expect(read.isPayeeStated)
    }

    @Test("The default expiry is not written, the default min_final_cltv_expiry_delta is")
    func defaults() throws {
        let signed = try draft().signed(by: publishedKey())
        #expect(signed.fields.contains(.minFinalCLTVExpiryDelta(18)))
        #expect(!signed.fields.contains(.expiry(3600)))
        #expect(signed.expiry == 3600)
        #expect(try Bolt11Invoice(signed.text).contents == signed.contents)
    }

    @Test("Without features there is no 9 field")
    func noFeatures() throws {
        let signed = try draft(features: Bolt11Features(required: [])).signed(by: publishedKey())
        #expect(!signed.fields.contains { if case .features = $0 { true } else { false } })
    }

    @Test("The same draft and key give the same text")
    func deterministic() throws {
        #expect(try draft().signed(by: publishedKey()).text == draft().signed(by: publishedKey()).text)
    }

    @Test("Contents that were read are written in the order in which they were")
    func keepsOrder() throws {
        #expect(try Bolt11Draft(Bolt11Invoice(donation).contents).signed(by: publishedKey()).text == donation)
    }

    @Test("A field of 1023 groups is written, one of 1024 refused")
    func longestField() throws {
        let longest = String(repeating: "x", count: 639)
        #expect(try draft(description: .text(longest)).signed(by: publishedKey()).description == .text(longest))
        #expect(throws: Bolt11Fault.fieldTooLong(.description)) {
            try draft(description: .text(longest + "x")).signed(by: publishedKey())
        }
        #expect(throws: Bolt11Fault.fieldTooLong(.paymentMetadata)) {
            try draft(paymentMetadata: [UInt8](repeating: 0, count: 640)).signed(by: publishedKey())
        }
    }

    @Test("A timestamp of 35 bits is written, one of 36 refused")
    func timestamp() throws {
        let last = UnixTime(1 << 35 - 1)
        #expect(try Bolt11Invoice(draft(timestamp: last).signed(by: publishedKey()).text).timestamp == last)
        #expect(throws: Bolt11Fault.timestampTooLarge) {
            try draft(timestamp: UnixTime(1 << 35)).signed(by: publishedKey())
        }
    }

    @Test("A payee other than the signer is refused")
    func otherPayee() throws {
        #expect(throws: Bolt11Fault.payeeIsNotSigner) {
            try draft(payee: publishedNode()).signed(by: SecretKey([UInt8](repeating: 1, count: 32)))
        }
    }

    @Test("A description hash has 32 bytes", arguments: [0, 31, 33])
    func hashLength(count: Int) throws {
        #expect(throws: Bolt11Fault.invalidDescriptionHash) {
            try draft(description: .hash([UInt8](repeating: 0, count: count))).signed(by: publishedKey())
        }
    }

    @Test("An amount is from one millisatoshi to 21 million bitcoin")
    func amount() throws {
        for msat in [1, Millisatoshi.maximum.msat] {
            let amount = Millisatoshi(msat)
            #expect(try Bolt11Invoice(draft(amount: amount).signed(by: publishedKey()).text).amount == amount)
        }
        #expect(throws: Bolt11Fault.amountNotPositive) { try draft(amount: .zero).signed(by: publishedKey()) }
        #expect(throws: Bolt11Fault.amountTooLarge) {
            try draft(amount: Millisatoshi(Millisatoshi.maximum.msat + 1)).signed(by: publishedKey())
        }
    }

    @Test("Features that a reader refuses are not signed")
    func features() throws {
        #expect(throws: Bolt11Fault.missingFeatureDependency(.basicMultiPartPayment, on: .paymentSecret)) {
            try draft(features: Bolt11Features(required: [], optional: [.basicMultiPartPayment]))
                .signed(by: publishedKey())
        }
        #expect(throws: Bolt11Fault.unknownRequiredFeature(bit: 100)) {
            try draft(features: Bolt11Features(bits: [14, 100])).signed(by: publishedKey())
        }
    }
}
