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
