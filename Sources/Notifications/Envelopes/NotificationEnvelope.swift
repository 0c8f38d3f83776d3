public import LightningCoding

/// The envelopes in which a notification is sent; `NotificationReader` reads them all.
public enum NotificationEnvelope: String, CaseIterable, Sendable {
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
    ///   - type: the name of its type in this envelope.
    ///   - payload: its content.
    ///   - appData: data for the app, in push messages only.
    public func notification(_ type: String, _ payload: JSONObject, appData: String? = nil) -> JSONValue {
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
