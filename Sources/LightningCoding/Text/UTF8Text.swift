/// Bytes read as UTF-8 without repair: invalid text is refused.
public enum UTF8Text {
    /// The text encoded by the bytes.
    ///
    /// Throws `invalidUTF8` at the first byte that does not belong to a scalar.
    public static func string(_ bytes: some Collection<UInt8>) throws(CodingFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CodingFault(.invalidUTF8, at: validPrefixLength(of: bytes))
        }
        return text
    }

    private static func validPrefixLength(of bytes: some Collection<UInt8>) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var length = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
            length += scalar.count
        }
        return length
    }
}
