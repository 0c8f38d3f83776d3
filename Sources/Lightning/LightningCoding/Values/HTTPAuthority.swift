#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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

    /// Whether a host, in a URL's stored form, is a loopback address.
    static func isLoopbackAddress(_ host: String) -> Bool {
        if let address = address(host, family: AF_INET, count: 4) { return address[0] == 127 }
        return address(host, family: AF_INET6, count: 16) == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether a host, in a URL's stored form, is an address.
    static func isAddress(_ host: String) -> Bool {
        address(host, family: AF_INET, count: 4) != nil || address(host, family: AF_INET6, count: 16) != nil
    }

    private static func splitHost(_ characters: ArraySlice<UInt8>) throws(URLFault) -> (String, ArraySlice<UInt8>) {
        guard characters.first == UInt8(ascii: "[") else {
            let end = characters.firstIndex(of: UInt8(ascii: ":")) ?? characters.endIndex
            return (try name(characters[..<end]), characters[end...])
        }
        guard let end = characters.firstIndex(of: UInt8(ascii: "]")) else { throw .invalidHost }
        let inside = characters[characters.startIndex + 1..<end]
        let text = lowerCase(inside)
        // `inet_pton` alone would stop at a zero byte.
        guard !inside.contains(0), address(text, family: AF_INET6, count: 16) != nil else { throw .invalidHost }
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
        if let last = labels.last, isNumeric(last), address(text, family: AF_INET, count: 4) == nil {
            throw .invalidHost
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

    private static func address(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
