/// What a person is shown about a notification.
public struct NotificationText: Hashable, Sendable {
    /// The first line.
    public let title: String
    /// The second line; nil for none.
    public let body: String?
    /// What becomes of it.
    public let lifetime: Lifetime

    /// What becomes of a text that is shown.
    public enum Lifetime: String, CaseIterable, Hashable, Sendable {
        /// It tells of something passing, and the next one takes its place.
        case replaceable
        /// It stays until the person puts it away.
        case dismissible
    }

    /// Creates a text.
    public init(title: String, body: String? = nil, lifetime: Lifetime) {
        self.title = title
        self.body = body
        self.lifetime = lifetime
    }
}
