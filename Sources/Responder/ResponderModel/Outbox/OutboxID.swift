/// The id of work in the outbox: 1 to 128 characters of `a-z 0-9 - _`.
package struct OutboxID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Reads an id; nil when it is invalid.
    package init?(_ text: String) {
        guard text.isWord(upTo: Self.maximumCount, or: "-_") else { return nil }
        self.text = text
    }

    /// The maximum length, in bytes.
    package static let maximumCount = 128

    /// - Parameter text: what is known to be an id.
    package init(unchecked text: String) {
        self.text = text
    }

    package var description: String { text }
}
