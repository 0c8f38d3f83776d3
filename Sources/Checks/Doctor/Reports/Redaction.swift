import LightningCoding

/// Redacts secrets in traces.
///
/// Bodies are searched as bytes, not parsed, since they are often not valid JSON. The value after a secret's name is
/// redacted, up to the end of its JSON string or number, however deeply nested in other strings.
package enum Redaction {
    package static let mark = "(secret)"

    /// The names of secrets in lower case, without `-` and `_`.
    private static let names: Set<[UInt8]> = Set(
        [
            "preimage", "paymentpreimage", "k1", "sig", "secret", "paymentsecret", "password", "token", "accesstoken",
            "refreshtoken", "apikey", "authorization", "macaroon", "rune", "webhookurl", "signature",
        ].map { Array($0.utf8) })

    /// A text with secret members of JSON objects redacted.
    package static func members(of text: String) -> String {
        let bytes = Array(text.utf8)
        var shown: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let end = endOfWord(in: bytes, from: index)
            guard end > index else {
                shown.append(bytes[index])
                index += 1
                continue
            }
            shown += bytes[index..<end]
            if isSecret(bytes[index..<end]), let value = valueOfMember(in: bytes, from: end) {
                shown += bytes[end..<value.lowerBound]
                shown += Array(mark.utf8)
                index = value.upperBound
            } else {
                index = end
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// A query with secret parameters redacted, and the secret members of JSON ones (LUD-18).
    package static func query(_ query: String) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty else { return String(item) }
            guard !isSecret(Array(parts[0].utf8)[...]) else { return "\(parts[0])=\(mark)" }
            guard let value = try? PercentEncoding.decode(parts[1], plusIsSpace: true) else { return String(item) }
            let shown = members(of: value)
            return shown.utf8.elementsEqual(value.utf8) ? String(item) : "\(parts[0])=\(shown)"
        }.joined(separator: "&")
    }

    private static func isSecret(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count <= 32 else { return false }
        return names.contains(
            word.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
                .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 })
    }

    private static func endOfWord(in bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
        return end
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The range of the value after a member's name: the contents of a string, or a number. Nil when this was not a
    /// member's name, or there is nothing to redact.
    private static func valueOfMember(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        var index = start
        guard skipQuote(in: bytes, &index) != nil else { return nil }
        skipSpace(in: bytes, &index)
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return nil }
        index += 1
        skipSpace(in: bytes, &index)
        let end: Int
        if let depth = skipQuote(in: bytes, &index) {
            end = endOfString(in: bytes, from: index, depth)
        } else {
            end = bytes[index...].firstIndex { !"0123456789+-.eE".utf8.contains($0) } ?? bytes.count
        }
        return index < end ? index..<end : nil
    }

    /// Skips a quotation mark and the backslashes before it; returns how many there were.
    private static func skipQuote(in bytes: [UInt8], _ index: inout Int) -> Int? {
        let quote = bytes[index...].firstIndex { $0 != UInt8(ascii: "\\") } ?? bytes.count
        guard quote < bytes.count, bytes[quote] == UInt8(ascii: "\"") else { return nil }
        defer { index = quote + 1 }
        return quote - index
    }

    private static func skipSpace(in bytes: [UInt8], _ index: inout Int) {
        while index < bytes.count, " \t\r\n".utf8.contains(bytes[index]) { index += 1 }
    }

    /// The end of a string that began after this many backslashes; the end of the text when it is truncated.
    private static func endOfString(in bytes: [UInt8], from start: Int, _ depth: Int) -> Int {
        var backslashes = 0
        for index in start..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): backslashes += 1
            case UInt8(ascii: "\"") where backslashes == depth: return index - depth
            default: backslashes = 0
            }
        }
        return bytes.count
    }
}
