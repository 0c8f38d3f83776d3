/// The text shown to a user about a notification.
public struct NotificationText: Hashable, Sendable {
    /// The first line.
    public let title: String
    /// The second line; nil for none.
    public let body: String?
    /// How long it is shown.
    public let lifetime: Lifetime

    /// How long a text is shown.
    public enum Lifetime: String, CaseIterable, Hashable, Sendable {
        /// Until the next one replaces it.
        case replaceable
        /// Until the user dismisses it.
        case dismissible
    }

    /// Creates a text.
    public init(title: String, body: String? = nil, lifetime: Lifetime) {
        self.title = title
        self.body = body
        self.lifetime = lifetime
    }
}
