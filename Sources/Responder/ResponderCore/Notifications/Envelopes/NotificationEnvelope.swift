package import LightningCoding

/// The envelopes in which a notification is sent; `NotificationReader` reads them all.
package enum NotificationEnvelope: String, CaseIterable, Sendable {
    /// `{"template": type, "data": {…}}`, as breez-lnurl sends it.
    case template
    /// `{"event": type, "data": {…}}`, as Boltz sends it.
    case event
    /// `{"notification_type": type, "notification_payload": "{…}", "app_data": …}`, as a push message.
    case push
    /// The same inside `body`.
    case pushBody = "push-body"

    /// The whole notification.
    ///
    /// - Parameters:
    ///   - appData: data for the app, in push messages only.
    package func notification(_ type: String, _ payload: JSONObject, appData: String? = nil) -> JSONValue {
        switch self {
        case .template: return ["template": .string(type), "data": .object(payload)]
        case .event: return ["event": .string(type), "data": .object(payload)]
        case .push, .pushBody:
            var message: JSONObject = [
                "notification_type": .string(type),
                "notification_payload": .string(JSONValue.object(payload).serialized()),
            ]
            if let appData { message.append("app_data", .string(appData)) }
            return self == .push ? .object(message) : ["body": .object(message)]
        }
    }
}

/// Senders' names for the members of envelopes and the types of notifications.
///
/// The defaults are those of breez-lnurl, breez/notify and the Boltz backend; change some for other senders.
package struct EnvelopeNames: Hashable, Sendable {
    /// The type of a webhook, first form.
    package var template = "template"
    /// The type of a webhook, second form.
    package var event = "event"
    package var data = "data"
    package var type = "notification_type"
    /// The payload of a push message, JSON in a string.
    package var payload = "notification_payload"
    package var appData = "app_data"
    package var body = "body"
    /// Where a message has its unique id; the first one present counts.
    package var messageIDs = ["event_id", "gcm.message_id", "google.message_id"]
    /// Renamed types: the sender's name, and ours.
    package var types: [ExactText: NotificationType] = [
        "invoice.request": .invoiceRequest, "swap.update": .swapUpdated,
    ]
    /// Renamed members of payloads: our name, and the sender's.
    package var payloadMembers: [String: String] = [:]

    package init() {}

    func type(named name: String) -> NotificationType {
        types[ExactText(name)] ?? NotificationType(rawValue: name)
    }

    func payloadMember(_ name: String) -> String {
        payloadMembers[name] ?? name
    }
}
