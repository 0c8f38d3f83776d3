package import LightningCoding

/// A notification, independent of its envelope.
package struct ReceivedNotification: Hashable, Sendable {
    package let type: NotificationType
    /// The payload, as received.
    package let payload: JSONObject
    package let event: NotifiedEvent
    /// Where to post the answer, as received: not yet validated.
    package let replyURL: String?
    /// Data added by the app's own backend; passed through unread.
    package let appData: JSONValue?
    /// The sender's id of this message, the same when it is sent again; nil when there is none.
    package let messageID: String?
    package let envelope: Envelope

    package enum Envelope: String, CaseIterable, Hashable, Sendable {
        /// A webhook's `{"template":…,"data":…}`.
        case template
        /// A webhook's `{"event":…,"data":…}`.
        case event
        /// A push message's `{"notification_type":…,"notification_payload":…}`, alone or inside `body`.
        case push
        /// A push message whose `aps.alert.payload` is encrypted.
        case encrypted
    }

    package init(
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
