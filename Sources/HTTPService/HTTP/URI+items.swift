import HummingbirdCore
import LightningCoding

extension URI {
    /// The query decoded like a form.
    ///
    /// - Throws: the fault of the first name or value that is not percent-encoded UTF-8.
    func items() throws(CodingFault) -> [(name: String, value: String)] { try FormItems.read(query ?? "") }
}

/// Names and values as in `application/x-www-form-urlencoded`.
enum FormItems {
    /// Reads them: `+` is a space; order and repetitions are kept.
    ///
    /// - Throws: the fault of the first name or value that is not percent-encoded UTF-8.
    static func read(_ text: String) throws(CodingFault) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        for item in text.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            items.append(
                (
                    try PercentEncoding.decode(Substring(item[..<equals]), plusIsSpace: true),
                    try PercentEncoding.decode(Substring(item[equals...].dropFirst()), plusIsSpace: true)
                )
            )
        }
        return items
    }
}
