/// An alphabet read backwards: the value of every ASCII character.
struct CharacterValues: Sendable {
    private static let none: UInt8 = 0xff
    private var values = [UInt8](repeating: none, count: 256)

    /// Numbers the characters of an alphabet from 0.
    init(of alphabet: [UInt8]) {
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(truncatingIfNeeded: value)
        }
    }

    /// The value of a character, nothing when the alphabet does not have it.
    subscript(_ character: UInt8) -> UInt8? {
        let value = values[Int(character)]
        return value == Self.none ? nil : value
    }
}
