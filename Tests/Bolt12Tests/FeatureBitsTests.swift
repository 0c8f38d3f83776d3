import Bolt12
import Testing

@Suite("Feature bits and record names", .timeLimit(.minutes(5)))
struct FeatureBitsTests {
    @Test("The bits come back ascending", arguments: [[], [0], [17, 16], [7, 8, 9, 255]] as [Set<UInt16>])
    func bits(bits: Set<UInt16>) {
        let features = FeatureBits(bits)
        #expect(features.bits == bits.map(Int.init).sorted())
        #expect(bits.allSatisfy { features.contains(Int($0)) })
        #expect(features.bytes.first != 0)
    }

    @Test("A bitmap is kept as it was received")
    func kept() {
        #expect(FeatureBits(bytes: [0, 0, 2]).bytes == [0, 0, 2])
        #expect(FeatureBits(bytes: [0, 0, 2]).bits == [1])
    }

    @Test("No bit stands outside the bitmap", arguments: [-1, 8, Int.max, Int.min])
    func outside(bit: Int) {
        #expect(!FeatureBits([7]).contains(bit))
    }

    @Test("An invoice may require payment in several parts, nothing else", arguments: [16, 18, 0] as [UInt16])
    func knownFeature(bit: UInt16) throws {
        let offer = try offer()
        let stream = try draft(for: request(for: offer), of: offer).signed(by: key(0x41), auxiliaryRandom: nil).stream
        let changed = try bytes(stream, changing: 174, to: FeatureBits([17, bit, 101]).bytes)
        if bit == 16 {
            #expect(try Bolt12Invoice(bytes: changed).parts == .severalRequired)
        } else {
            #expect(throws: InvoiceFault.unknownRequiredFeature(bit: Int(bit))) { try Bolt12Invoice(bytes: changed) }
        }
    }

    @Test(
        "A type has the specification's name",
        arguments: [
            (0, "invreq_metadata"), (22, "offer_issuer_id"), (91, "invreq_bip_353_name"), (176, "invoice_node_id"),
            (240, "signature"), (23, nil), (1_000_000_000, nil),
        ] as [(UInt64, String?)])
    func names(type: UInt64, name: String?) {
        #expect(RecordName.name(ofType: type) == name)
    }
}
