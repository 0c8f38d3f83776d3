/// The id of work in the outbox: 1 to 128 characters of `a-z 0-9 - _`.
package struct OutboxID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Reads an id; nil when it is invalid.
    package init?(_ text: String) {
        guard (1...Self.maximumCount).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    /// The maximum length, in bytes.
    package static let maximumCount = 128

    /// - Parameter text: what is known to be an id.
    package init(unchecked text: String) {
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    package var description: String { text }
}
