import Bolt11
import Testing

@Suite("Features", .timeLimit(.minutes(5)))
struct FeatureTests {
    @Test("The bits come back ascending", arguments: [[], [0], [14, 8, 99], [4, 5, 9, 10], [5114]])
    func bits(bits: [Int]) throws {
        let features = try Bolt11Features(bits: bits)
        #expect(features.bits == bits.sorted())
        #expect(bits.allSatisfy(features.contains(bit:)))
        #expect(!features.contains(bit: 1))
        #expect(features.isEmpty == bits.isEmpty)
    }

    @Test("A bit that no field has room for is refused", arguments: [-1, 5115, Int.max, Int.min])
    func outOfRange(bit: Int) {
        #expect(throws: Bolt11Fault.fieldTooLong(.features)) { try Bolt11Features(bits: [bit]) }
        #expect(!Bolt11Features(required: [.paymentSecret]).contains(bit: bit))
    }

    @Test("An even bit requires, an odd one supports")
    func pairs() {
        let features = Bolt11Features(required: [.paymentSecret], optional: [.basicMultiPartPayment, .paymentSecret])
        #expect(features.bits == [14, 17])
        #expect(features.requires(.paymentSecret) && features.supports(.paymentSecret))
        #expect(!features.requires(.basicMultiPartPayment) && features.supports(.basicMultiPartPayment))
        #expect(!features.supports(.routeBlinding))
    }
}
