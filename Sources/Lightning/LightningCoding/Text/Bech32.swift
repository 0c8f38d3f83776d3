/// Bech32 (BIP-173), and the variant without a checksum (BOLT 12). Lightning drops BIP-173's limit of 90 characters.
public enum Bech32 {
    /// The checksum of the text.
    public enum Checksum: Sendable {
        /// BIP-173's checksum of six characters: LNURL, BOLT 11.
        case bech32
        /// None: BOLT 12. Such a text may be split with `+` and white space.
        case none
    }

    /// A decoded text.
    public struct Text: Hashable, Sendable {
        /// The part before the separator, in lower case.
        public let humanReadablePart: String
        /// The part after it, without the checksum: 5 bits each.
        public let groups: [UInt8]

        /// A human-readable part (ASCII, converted to lower case) and the groups after it, each below 32.
        public init(humanReadablePart: String, groups: [UInt8]) {
            self.humanReadablePart = humanReadablePart.lowercased()
            self.groups = groups
        }

        fileprivate init(foldedPart: String, groups: [UInt8]) {
            self.humanReadablePart = foldedPart
            self.groups = groups
        }
    }

    private static let separator = UInt8(ascii: "1")
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let values = CharacterValues(of: alphabet)

    /// Encodes a text in lower case.
    public static func encode(_ text: Text, checksum: Checksum) -> String {
        let alphabet = alphabet
        let prefix = Array(text.humanReadablePart.utf8)
        let ending = checksum == .bech32 ? Bech32Checksum.groups(prefix: prefix, groups: text.groups) : []
        return String(unsafeUninitializedCapacity: prefix.count + 1 + text.groups.count + ending.count) { buffer in
            var position = 0
            for character in prefix {
                buffer[position] = character
                position += 1
            }
            buffer[position] = separator
            position += 1
            for group in text.groups {
                buffer[position] = alphabet[Int(group & 0x1f)]
                position += 1
            }
            for group in ending {
                buffer[position] = alphabet[Int(group)]
                position += 1
            }
            return position
        }
    }

    /// Decodes a text that is all upper or all lower case; its last `1` is the separator.
    ///
    /// Without a checksum, `+` and the white space after it are removed first; offsets count what remains. Throws
    /// `tooLong`, `invalidContinuation`, `invalidCharacter`, `mixedCase`, `missingSeparator`, `emptyHumanReadablePart`,
    /// `truncated` (no room for the checksum) or `badChecksum`.
    public static func decode(
        _ text: some StringProtocol, checksum: Checksum, maximumLength: Int = 1 << 20
    ) throws(CodingFault) -> Text {
        var characters = Array(text.utf8)
        guard characters.count <= maximumLength else { throw CodingFault(.tooLong, at: maximumLength) }
        if checksum == .none { characters = try Bech32Continuation.joined(characters) }
        try foldToLowerCase(&characters)
        guard let separatorIndex = characters.lastIndex(of: separator) else {
            throw CodingFault(.missingSeparator, at: characters.count)
        }
        guard separatorIndex > 0 else { throw CodingFault(.emptyHumanReadablePart, at: 0) }
        let values = values
        var groups: [UInt8] = []
        groups.reserveCapacity(characters.count - separatorIndex)
        for index in characters.indices.dropFirst(separatorIndex + 1) {
            guard let group = values[characters[index]] else { throw CodingFault(.invalidCharacter, at: index) }
            groups.append(group)
        }
        if checksum == .bech32 {
            let start = characters.count - Bech32Checksum.count
            guard groups.count >= Bech32Checksum.count else { throw CodingFault(.truncated, at: characters.count) }
            guard Bech32Checksum.matches(prefix: characters[..<separatorIndex], groups: groups) else {
                throw CodingFault(.badChecksum, at: start)
            }
            groups.removeLast(Bech32Checksum.count)
        }
        return Text(foldedPart: String(decoding: characters[..<separatorIndex], as: UTF8.self), groups: groups)
    }

    /// Splits bytes into 5-bit groups; the last one is padded with zero bits.
    public static func groups(fromBytes bytes: some Sequence<UInt8>) -> [UInt8] {
        regroup(Array(bytes)[...], from: 8, to: 5, isPadded: true).groups
    }

    /// Joins 5-bit groups to bytes.
    ///
    /// Throws `badPadding` when the remainder is 5 bits or more, or not zero, and `outOfRange` for a group above 31.
    public static func bytes(fromGroups groups: ArraySlice<UInt8>) throws(CodingFault) -> [UInt8] {
        if let index = groups.firstIndex(where: { $0 > 31 }) {
            throw CodingFault(.outOfRange, at: index - groups.startIndex)
        }
        let (bytes, rest, count) = regroup(groups, from: 5, to: 8)
        guard count < 5, rest == 0 else { throw CodingFault(.badPadding, at: groups.count - 1) }
        return bytes
    }

    /// BIP-173: characters 33 to 126 only, and no mixed case.
    private static func foldToLowerCase(_ characters: inout [UInt8]) throws(CodingFault) {
        var hasUpper = false
        var hasLower = false
        for index in characters.indices {
            switch characters[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                hasUpper = true
                characters[index] |= 0x20
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                hasLower = true
            case 33...126: break
            default: throw CodingFault(.invalidCharacter, at: index)
            }
            if hasUpper, hasLower { throw CodingFault(.mixedCase, at: index) }
        }
    }
}

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

/// BOLT 12, "Encoding": a long text may be split with a `+` and any white space after it.
enum Bech32Continuation {
    /// Removes every `+` together with the white space that follows it.
    ///
    /// Throws `invalidContinuation` for a `+` that is not between two other characters.
    static func joined(_ characters: [UInt8]) throws(CodingFault) -> [UInt8] {
        guard characters.contains(plus) else { return characters }
        var joined: [UInt8] = []
        joined.reserveCapacity(characters.count)
        var index = 0
        while index < characters.count {
            guard characters[index] == plus else {
                joined.append(characters[index])
                index += 1
                continue
            }
            let start = index
            index += 1
            while index < characters.count, isWhiteSpace(characters[index]) { index += 1 }
            guard !joined.isEmpty, index < characters.count, characters[index] != plus else {
                throw CodingFault(.invalidContinuation, at: start)
            }
        }
        return joined
    }

    private static let plus = UInt8(ascii: "+")

    private static func isWhiteSpace(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || (0x09...0x0d).contains(character)
    }
}
