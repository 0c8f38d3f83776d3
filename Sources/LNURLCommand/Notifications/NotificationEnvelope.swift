import ArgumentParser
import LightningCoding

/// The envelope of a notification.
enum NotificationEnvelope: String, CaseIterable, ExpressibleByArgument {
    /// `{"template": type, "data": {…}}`
    case template
    /// `{"event": type, "data": {…}}`
    case event
    /// `{"notification_type": type, "notification_payload": "{…}", "app_data": …}`
    case push
    /// The same inside `body`.
    case pushBody = "push-body"

    /// The whole notification.
    func notification(_ type: String, _ payload: JSONObject, appData: String?) -> JSONValue {
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
