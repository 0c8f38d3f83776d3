public import LightningCoding
import Push

extension WakePush {
    /// The header fields of a request to APNs, in order, without the authorization.
    ///
    /// - Parameters:
    ///   - bundle: the bundle id of the app.
    ///   - requestID: a UUID in lower case, which APNs repeats in its answer.
    public func apnsFields(bundle: String, requestID: String) -> [(name: String, value: String)] {
        var fields = [
            ("apns-topic", bundle), ("apns-id", requestID), ("apns-expiration", String(expires.seconds)),
            ("apns-push-type", isSilent ? "background" : "alert"), ("apns-priority", isSilent ? "5" : "10"),
        ]
        if let collapse = apnsCollapse { fields.append(("apns-collapse-id", collapse.text)) }
        return fields
    }

    /// The body of a request to APNs.
    public var apnsBody: JSONObject {
        switch content {
        case .legacy(let container):
            let alert: JSONValue = [
                "title": .string(Self.legacyText.title), "body": .string(Self.legacyText.body),
                "payload": .object(container.json),
            ]
            return [
                "aps": [
                    "badge": 0, "sound": "ping.aiff", "alert": alert, "content-available": 1, "mutable-content": 1,
                ]
            ]
        case .silent(let container, _):
            return ["aps": ["content-available": 1], "wake": .object(container.json)]
        case .alert(let container, let text, let isTimeSensitive):
            return [
                "aps": visible(text, isMutable: true, isTimeSensitive: isTimeSensitive),
                "wake": .object(container.json),
            ]
        case .fallback(let text):
            return ["aps": visible(text, isMutable: false, isTimeSensitive: true), "wake_fallback": fallback]
        }
    }

    /// What deployed apps show when they cannot decrypt a message.
    static let legacyText = AlertText(title: "Background Operation Request", body: "Please open your wallet.")

    var isSilent: Bool { if case .silent = content { true } else { false } }

    /// Alerts about one wake always replace each other.
    var apnsCollapse: CollapseID? {
        switch content {
        case .legacy: nil
        case .silent: collapse
        case .alert, .fallback: collapse ?? CollapseID(id.text)
        }
    }

    private func visible(_ text: AlertText, isMutable: Bool, isTimeSensitive: Bool) -> JSONValue {
        var aps: JSONObject = ["alert": .object(text.json), "sound": "default"]
        if isMutable { aps.append("mutable-content", 1) }
        aps.append("interruption-level", isTimeSensitive ? "time-sensitive" : "active")
        aps.append("thread-id", .string(topic.text))
        return .object(aps)
    }
}
