public import LightningCoding

/// A notification as it was meant, whatever the envelope in which it travelled.
public struct ReceivedNotification: Hashable, Sendable {
    /// What it is about.
    public let type: NotificationType
    /// What it says, as it came.
    public let payload: JSONObject
    /// What it says, read.
    public let event: NotifiedEvent
    /// Where the answer is to be posted, as it was written: from outside, and looked at by nobody yet.
    public let replyURL: String?
    /// What the app's own backend put beside it; never looked at here.
    public let appData: JSONValue?
    /// How the sender knows this message when it sends it again; nil when it does not say.
    public let messageID: String?
    /// In what it travelled.
    public let envelope: Envelope

    /// In what a notification travels.
    public enum Envelope: String, CaseIterable, Hashable, Sendable {
        /// A webhook's `{"template":…,"data":…}`.
        case template
        /// A webhook's `{"event":…,"data":…}`.
        case event
        /// A push message's `{"notification_type":…,"notification_payload":…}`, alone or inside `body`.
        case push
        /// A push message whose `aps.alert.payload` is encrypted.
        case encrypted
    }

    /// Creates a notification.
    public init(
        type: NotificationType,
        payload: JSONObject,
        event: NotifiedEvent,
        replyURL: String? = nil,
        appData: JSONValue? = nil,
        messageID: String? = nil,
        envelope: Envelope
    ) {
        self.type = type
        self.payload = payload
        self.event = event
        self.replyURL = replyURL
        self.appData = appData
        self.messageID = messageID
        self.envelope = envelope
    }
}
