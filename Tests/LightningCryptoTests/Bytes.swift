import LightningCoding

/// Bytes of a published vector, which are well-formed hexadecimal (spaces are for the eye).
func hex(_ text: String) throws -> [UInt8] {
    try Hexadecimal.decode(text.filter { !$0.isWhitespace })
}

/// `count` times the same byte.
func filled(_ byte: UInt8, count: Int = 32) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
}
