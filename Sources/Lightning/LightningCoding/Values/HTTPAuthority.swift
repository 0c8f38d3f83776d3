/// Host and port of an `HTTPURL`.
struct HTTPAuthority {
    let host: String
    let port: UInt16?

    init(_ characters: ArraySlice<UInt8>) throws(URLFault) {
        guard !characters.contains(UInt8(ascii: "@")) else { throw .userInfo }
        let (name, rest) = try Self.splitHost(characters)
        host = name
        port = rest.isEmpty ? nil : try Self.port(rest)
    }

    private static func splitHost(_ characters: ArraySlice<UInt8>) throws(URLFault) -> (String, ArraySlice<UInt8>) {
        guard characters.first == UInt8(ascii: "[") else {
            let end = characters.firstIndex(of: UInt8(ascii: ":")) ?? characters.endIndex
            return (try name(characters[..<end]), characters[end...])
        }
        guard let end = characters.firstIndex(of: UInt8(ascii: "]")) else { throw .invalidHost }
        let inside = characters[characters.startIndex + 1..<end]
        let text = lowerCase(inside)
        guard case .v6 = IPAddress(text) else { throw .invalidHost }
        return (text, characters[(end + 1)...])
    }

    /// A host name of letters, digits, `-` and `_`, or four decimal numbers. A name that ends in a number is refused:
    /// resolvers treat such names as addresses, but disagree how.
    private static func name(_ characters: ArraySlice<UInt8>) throws(URLFault) -> String {
        guard !characters.isEmpty else { throw .emptyHost }
        guard characters.count <= 253 else { throw .invalidHost }
        let text = lowerCase(characters)
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ isLabel($0) }) else { throw .invalidHost }
        if let last = labels.last, isNumeric(last) {
            guard case .v4 = IPAddress(text) else { throw .invalidHost }
        }
        return text
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen else { return false }
        return label.allSatisfy { character in
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                hyphen, UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// Decimal, octal and hexadecimal numbers, as accepted by `inet_aton`.
    private static func isNumeric(_ label: Substring.UTF8View) -> Bool {
        let text = Substring(label)
        if text.hasPrefix("0x") { return text.dropFirst(2).utf8.allSatisfy { Hexadecimal.digit($0) != nil } }
        return label.allSatisfy(\.isDigit)
    }

    private static func port(_ characters: ArraySlice<UInt8>) throws(URLFault) -> UInt16 {
        let digits = characters.dropFirst()
        guard characters.first == UInt8(ascii: ":"), let first = digits.first,
            (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
            let port = UInt16(String(decoding: digits, as: UTF8.self))
        else { throw .invalidPort }
        return port
    }

    private static func lowerCase(_ characters: ArraySlice<UInt8>) -> String {
        String(decoding: characters, as: UTF8.self).lowercased()
    }
}
