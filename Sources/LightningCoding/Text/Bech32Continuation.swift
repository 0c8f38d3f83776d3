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
