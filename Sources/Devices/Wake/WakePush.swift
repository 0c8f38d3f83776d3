public import LightningCoding
public import Push

/// A push message about a wake, for any provider.
public struct WakePush: Hashable, Sendable {
    /// What it carries.
    public let content: Content
    /// The wake.
    public let id: WakeID
    /// What the wake is about.
    public let topic: WakeTopic
    /// Replaces a stored message of the same id; nil when only the wake's own id would do.
    public let collapse: CollapseID?
    /// When providers stop trying.
    public let expires: UnixTime

    /// What a push message carries.
    public enum Content: Hashable, Sendable {
        /// The one push message of the legacy format.
        case legacy(WakeContainer)
        /// The first of two: silent. On Android, only one of high priority wakes a phone that sleeps.
        case silent(WakeContainer, isUrgent: Bool)
        /// A visible one.
        case alert(WakeContainer, AlertText, isTimeSensitive: Bool)
        /// The second of two: visible, since the first was not handled in time.
        case fallback(AlertText)
    }

    /// Creates a push message.
    public init(
        _ content: Content, about id: WakeID, topic: WakeTopic, collapse: CollapseID? = nil, expires: UnixTime
    ) {
        self.content = content
        self.id = id
        self.topic = topic
        self.collapse = collapse
        self.expires = expires
    }

    /// What a device finds in a fallback alert.
    var fallback: JSONValue {
        ["v": 1, "id": .string(id.text), "topic": .string(topic.text)]
    }
}

/// What a person reads in an alert.
public struct AlertText: Hashable, Sendable {
    /// The first line.
    public let title: String
    /// The rest.
    public let body: String

    /// Creates a text.
    public init(title: String, body: String) {
        self.title = title
        self.body = body
    }

    var json: JSONObject { ["title": .string(title), "body": .string(body)] }
}
