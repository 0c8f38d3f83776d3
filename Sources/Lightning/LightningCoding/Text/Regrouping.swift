/// Puts the bits of groups, most significant first, into groups of another size.
///
/// - Parameters:
///   - from: how many bits the groups have.
///   - to: how many the groups have that are returned.
///   - isPadded: whether the last group is padded with zero bits; otherwise the rest is left over.
/// - Returns: the groups, the bits that are left over, and how many there are.
package func regroup(
    _ groups: ArraySlice<UInt8>, from: UInt32, to: UInt32, isPadded: Bool = false
) -> (groups: [UInt8], rest: UInt32, count: UInt32) {
    var (pending, count) = (UInt32(0), UInt32(0))
    let mask = UInt8(truncatingIfNeeded: UInt32(1) << to - 1)
    let most = (groups.count * Int(from) + Int(to) - 1) / Int(to)
    let regrouped = [UInt8](unsafeUninitializedCapacity: most) { output, filled in
        for group in groups {
            pending = pending << from | UInt32(group)
            count += from
            while count >= to {
                count -= to
                output[filled] = UInt8(truncatingIfNeeded: pending >> count) & mask
                filled += 1
            }
        }
        guard isPadded, count > 0 else { return }
        output[filled] = UInt8(truncatingIfNeeded: pending << (to - count)) & mask
        filled += 1
    }
    return (regrouped, pending & (1 << count - 1), count)
}

/// The reverse of an alphabet: the value of every ASCII character.
struct CharacterValues: Sendable {
    private static let none: UInt8 = 0xff
    private var values = [UInt8](repeating: none, count: 256)

    /// Numbers the characters of an alphabet from 0.
    init(of alphabet: [UInt8]) {
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(truncatingIfNeeded: value)
        }
    }

    /// The value of a character; nil when it is not in the alphabet.
    subscript(_ character: UInt8) -> UInt8? {
        let value = values[Int(character)]
        return value == Self.none ? nil : value
    }
}

/// z-base-32, the encoding of signed Lightning messages: 5 bits per character, without padding characters.
public enum ZBase32 {
    private static let alphabet = Array("ybndrfg8ejkmcpqxot1uwisza345h769".utf8)
    private static let values = CharacterValues(of: alphabet)

    /// Encodes bytes; unused bits of the last character are zero.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let groups = Bech32.groups(fromBytes: bytes)
        return String(decoding: groups.map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Decodes lower-case text.
    ///
    /// Throws `invalidCharacter`, or `badPadding` when the bits beyond the last byte are more than 4 or not zero.
    public static func decode(_ text: some StringProtocol) throws(CodingFault) -> [UInt8] {
        var groups: [UInt8] = []
        groups.reserveCapacity(text.utf8.count)
        for character in text.utf8 {
            guard let group = values[character] else { throw CodingFault(.invalidCharacter, at: groups.count) }
            groups.append(group)
        }
        return try Bech32.bytes(fromGroups: groups[...])
    }
}
