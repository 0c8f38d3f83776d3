/// The checksum of BIP-173: a BCH code over GF(32) whose remainder is 1.
enum Bech32Checksum {
    /// Groups in a checksum.
    static let count = 6

    /// What the five highest bits of a state contribute to the next: BIP-173's five generators, combined.
    private static let feedback: [UInt32] = (0..<32).map { (top: UInt32) in
        let generators: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        return generators.indices.reduce(0) { top >> UInt32($1) & 1 == 1 ? $0 ^ generators[$1] : $0 }
    }

    /// The checksum of a lower-case human-readable part and the groups after it.
    static func groups(prefix: some Collection<UInt8>, groups: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: count)
        let remainder = state(after: padding, from: state(after: groups, from: state(of: prefix))) ^ 1
        return (0..<count).map { UInt8(truncatingIfNeeded: remainder >> UInt32(5 * (count - 1 - $0))) & 0x1f }
    }

    /// Whether the last six groups are the checksum of everything before them.
    static func matches(prefix: some Collection<UInt8>, groups: [UInt8]) -> Bool {
        state(after: groups, from: state(of: prefix)) == 1
    }

    private static func state(of prefix: some Collection<UInt8>) -> UInt32 {
        let high = state(after: prefix.map { $0 >> 5 }, from: 1)
        return state(after: prefix.map { $0 & 0x1f }, from: state(after: [0], from: high))
    }

    private static func state(after groups: [UInt8], from start: UInt32) -> UInt32 {
        let feedback = feedback
        var state = start
        for group in groups {
            state = (state & 0x1ff_ffff) << 5 ^ UInt32(group & 0x1f) ^ feedback[Int(state >> 25)]
        }
        return state
    }
}
