/// The id of a wake: 1 to 64 visible ASCII characters, as a rule a UUID of version 7.
public struct WakeID: Hashable, Sendable, CustomStringConvertible {
    /// The characters.
    public let text: String

    /// Reads an id; nil when it is invalid.
    public init?(_ text: String) {
        guard text.isVisibleASCII(upTo: 64) else { return nil }
        self.text = text
    }

    /// The characters.
    public var description: String { text }
}

/// What a wake is about, such as `blocktank.incomingHtlc`: 1 to 64 visible ASCII characters.
public struct WakeTopic: Hashable, Sendable, CustomStringConvertible {
    /// The characters.
    public let text: String

    /// Reads a topic; nil when it is invalid.
    public init?(_ text: String) {
        guard text.isVisibleASCII(upTo: 64) else { return nil }
        self.text = text
    }

    /// The characters.
    public var description: String { text }
}

extension String {
    /// Whether it has 1 to `count` characters from `!` to `~`.
    func isVisibleASCII(upTo count: Int) -> Bool {
        (1...count).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
