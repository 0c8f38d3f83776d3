public import LightningCoding
import Push

extension WakePush {
    /// The body of a request to FCM v1.
    ///
    /// - Parameters:
    ///   - token: the registration token of the app.
    ///   - now: FCM is told how long to keep the message, at most 28 days.
    public func fcmBody(token: String, at now: UnixTime) -> JSONObject {
        let lifetime = min(expires.seconds(since: now), Self.longestLifetime)
        var android: JSONObject = ["priority": isUrgent ? "high" : "normal", "ttl": .string("\(lifetime)s")]
        for member in androidMembers.members { android.append(member.key, member.value) }
        return ["message": ["token": .string(token), "android": .object(android), "data": .object(data)]]
    }

    private static let longestLifetime: UInt64 = 28 * 86_400

    var isUrgent: Bool { if case .silent(_, let isUrgent) = content { isUrgent } else { true } }

    private var androidMembers: JSONObject {
        switch content {
        case .legacy(let container):
            var data = container.json
            data.append("title", .string(Self.legacyText.title))
            data.append("message", .string(Self.legacyText.body))
            data.append("sound", "default")
            return ["data": .object(data)]
        case .silent, .alert:
            guard let collapse else { return [:] }
            return ["collapse_key": .string(collapse.text)]
        case .fallback(let text):
            return ["notification": .object(shown(text))]
        }
    }

    /// What Android shows without the app.
    var notification: JSONObject? { if case .fallback(let text) = content { shown(text) } else { nil } }

    private func shown(_ text: AlertText) -> JSONObject {
        var notification = text.json
        notification.append("channel_id", "wake")
        notification.append("tag", .string((collapse ?? CollapseID(id.text)).text))
        return notification
    }

    /// What is encrypted for Web Push.
    var web: JSONObject {
        switch content {
        case .legacy(let container): return container.json
        case .silent(let container, _): return ["wake": .object(container.json)]
        case .alert(let container, let text, _):
            var object = text.json
            object.append("wake", .object(container.json))
            return object
        case .fallback(let text):
            var object = text.json
            object.append("wake_fallback", fallback)
            return object
        }
    }

    /// FCM accepts texts only.
    var data: JSONObject {
        switch content {
        case .legacy(let container): container.json
        case .silent(let container, _), .alert(let container, _, _):
            ["wake": .string(JSONValue.object(container.json).serialized())]
        case .fallback: ["wake_fallback": .string(fallback.serialized())]
        }
    }
}
