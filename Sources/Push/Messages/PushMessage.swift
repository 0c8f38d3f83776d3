public import LightningCoding

/// A push message for one device.
public struct PushMessage: Hashable, Sendable {
    /// What is sent.
    public let form: PushForm
    /// What the form was made of, if a part of it can be left out.
    public let content: PushContent?
    /// Who waits for it.
    public let priority: PushPriority
    /// When it stops being useful. Providers keep undelivered messages until then.
    public let expires: UnixTime
    /// Replaces an undelivered message with the same id; nil for requests that wait for a reply, none of which may be lost.
    public let collapseID: CollapseID?

    /// Whether messages with its collapse id follow each other, so that only the last counts. Otherwise the id only keeps a
    /// message from being shown twice.
    public let replacesEarlier: Bool

    /// Creates a message for a notification plugin.
    public init(
        _ content: PushContent, _ priority: PushPriority, expires: UnixTime, collapseID: CollapseID? = nil,
        replacesEarlier: Bool = true
    ) {
        self.init(
            content.form, of: content, priority, expires: expires, collapseID: collapseID,
            replacesEarlier: replacesEarlier)
    }

    /// Creates a message.
    public init(
        _ form: PushForm, _ priority: PushPriority, expires: UnixTime, collapseID: CollapseID? = nil,
        replacesEarlier: Bool = true
    ) {
        self.init(
            form, of: nil, priority, expires: expires, collapseID: collapseID, replacesEarlier: replacesEarlier)
    }

    private init(
        _ form: PushForm, of content: PushContent?, _ priority: PushPriority, expires: UnixTime,
        collapseID: CollapseID?, replacesEarlier: Bool
    ) {
        self.form = form
        self.content = content
        self.priority = priority
        self.expires = expires
        self.collapseID = collapseID
        self.replacesEarlier = replacesEarlier
    }
}

/// Which message goes first.
public enum PushPriority: Int, CaseIterable, Comparable, Sendable {
    /// Somebody waits for the device's reply.
    case reply
    /// The user is to see it.
    case alert
    /// The app is to fetch what it has missed.
    case catchUp

    /// The more urgent one is less.
    public static func < (one: PushPriority, other: PushPriority) -> Bool { one.rawValue < other.rawValue }
}
