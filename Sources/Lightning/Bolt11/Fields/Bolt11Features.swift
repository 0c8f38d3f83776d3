/// The features of an invoice (BOLT 11, `9`; BOLT 9 context `9`): an even bit is required, an odd one optional.
public struct Bolt11Features: Hashable, Sendable {
    /// A feature defined for invoices; the raw value is its even bit.
    public enum Feature: Int, CaseIterable, Hashable, Sendable {
        /// Variable-length onion payloads. Assumed today.
        case variableLengthOnion = 8
        /// The `s` field. Assumed today.
        case paymentSecret = 14
        /// Several HTLCs may pay the invoice together.
        case basicMultiPartPayment = 16
        /// Blinded paths.
        case routeBlinding = 24
        /// Failures and settlements carry attribution data.
        case attributionData = 36
        /// The `m` field.
        case paymentMetadata = 48

        var dependency: Feature? {
            self == .basicMultiPartPayment ? .paymentSecret : nil
        }
    }

    /// Five bits each, the most significant first, the first not zero.
    let groups: [UInt8]

    /// The set bits, in any order. Throws `fieldTooLong` for a bit outside 0…5114.
    public init(bits: some Sequence<Int>) throws(Bolt11Fault) {
        let bits = Set(bits)
        guard bits.allSatisfy(Self.possibleBits.contains) else { throw .fieldTooLong(.features) }
        self.init(possible: bits)
    }

    /// `required` by their even bits, `optional` by their odd ones.
    public init(required: Set<Feature>, optional: Set<Feature> = []) {
        let optional = optional.subtracting(required)
        self.init(possible: Set(required.map(\.rawValue)).union(optional.map { $0.rawValue + 1 }))
    }

    private static let possibleBits = 0..<GroupWriter.longestField * 5

    private init(possible bits: Set<Int>) {
        var groups = [UInt8](repeating: 0, count: bits.max().map { $0 / 5 + 1 } ?? 0)
        for bit in bits {
            groups[groups.count - 1 - bit / 5] |= 1 << (bit % 5)
        }
        self.groups = groups
    }

    init(groups: [UInt8]) throws(Bolt11Fault) {
        guard groups.first != 0 else { throw .fieldNotMinimal(.features) }
        self.groups = groups
    }

    /// Whether no bit is set: the invoice then has no `9` field.
    public var isEmpty: Bool { groups.isEmpty }

    /// The set bits, ascending.
    public var bits: [Int] {
        (0..<groups.count * 5).filter(contains)
    }

    /// Whether a bit is set.
    public func contains(bit: Int) -> Bool {
        guard bit >= 0, bit / 5 < groups.count else { return false }
        return groups[groups.count - 1 - bit / 5] >> (bit % 5) & 1 == 1
    }

    /// Whether the payer must support it.
    public func requires(_ feature: Feature) -> Bool { contains(bit: feature.rawValue) }

    /// Whether the payer may use it.
    public func supports(_ feature: Feature) -> Bool { requires(feature) || contains(bit: feature.rawValue + 1) }

    /// BOLT 11 "Feature Bits": no unknown even bit, and each known feature with all its dependencies.
    func check() throws(Bolt11Fault) {
        for bit in bits where bit.isMultiple(of: 2) && Feature(rawValue: bit) == nil {
            throw .unknownRequiredFeature(bit: bit)
        }
        for feature in Feature.allCases where supports(feature) {
            guard let dependency = feature.dependency, !supports(dependency) else { continue }
            throw .missingFeatureDependency(feature, on: dependency)
        }
    }
}
