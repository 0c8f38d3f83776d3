package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// A push message about a wake, for any provider.
package struct WakePush: Hashable, Sendable {
    package let content: Content
    package let id: WakeID
    package let topic: WakeTopic
    /// Replaces a stored message of the same id.
    package let collapse: CollapseID
    /// When providers stop trying.
    package let expires: UnixTime

    package enum Content: Hashable, Sendable {
        /// The first of two: silent. On Android, only one of high priority wakes a phone that sleeps.
        case silent(WakeContainer, isUrgent: Bool)
        case alert(WakeContainer, AlertText, isTimeSensitive: Bool)
        /// The second of two: visible, since the first was not handled in time.
        case fallback(AlertText)
    }

    package init(
        _ content: Content, about id: WakeID, topic: WakeTopic, collapse: CollapseID, expires: UnixTime
    ) {
        self.content = content
        self.id = id
        self.topic = topic
        self.collapse = collapse
        self.expires = expires
    }

    var fallback: JSONValue {
        ["v": 1, "id": .string(id.text), "topic": .string(topic.text)]
    }
}

package struct AlertText: Hashable, Sendable {
    package let title: String
    package let body: String

    package init(title: String, body: String) {
        self.title = title
        self.body = body
    }

    var json: JSONObject { ["title": .string(title), "body": .string(body)] }
}

extension WakePush {
    package var apnsBody: JSONObject {
        switch content {
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

    var isSilent: Bool { if case .silent = content { true } else { false } }

    private func visible(_ text: AlertText, isMutable: Bool, isTimeSensitive: Bool) -> JSONValue {
        var aps: JSONObject = ["alert": .object(text.json), "sound": "default"]
        if isMutable { aps.append("mutable-content", 1) }
        aps.append("interruption-level", isTimeSensitive ? "time-sensitive" : "active")
        aps.append("thread-id", .string(topic.text))
        return .object(aps)
    }
}

extension WakePush {
    var isUrgent: Bool { if case .silent(_, let isUrgent) = content { isUrgent } else { true } }

    /// What Android shows without the app.
    var notification: JSONObject? {
        guard case .fallback(let text) = content else { return nil }
        var notification = text.json
        notification.append("channel_id", "wake")
        notification.append("tag", .string(collapse.text))
        return notification
    }

    var web: JSONObject {
        switch content {
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
        case .silent(let container, _), .alert(let container, _, _):
            ["wake": .string(JSONValue.object(container.json).serialized())]
        case .fallback: ["wake_fallback": .string(fallback.serialized())]
        }
    }
}

extension WakePush {
    /// The silent push message that makes an app fetch what is pending; nil for a device that cannot decrypt. It says
    /// nothing but that.
    ///
    /// - Parameters:
    ///   - device: who is woken.
    ///   - now: the time; it is useful until the next one may follow.
    ///   - secret: what collapse ids are made with.
    ///   - random: draws an id, a key and a nonce.
    package static func catchUp(
        of device: Device, at now: UnixTime, secret: SecretBytes, random: RandomSource
    ) throws(CryptoFault) -> PushMessage? {
        guard let key = device.profile.encryptionKey, let topic = WakeTopic("catch_up"),
            let id = WakeID("catch-up-" + Hexadecimal.encode(try random(8)))
        else { return nil }
        let expires = now.adding(seconds: CatchUp.interval)
        let wake = WakeMessage(id: id, topic: topic, urgency: .background, deadline: expires, payload: nil)
        let container = try WakeContainer(sealing: wake.plaintext, for: key, random: random)
        let collapse = CollapseID(
            secret: secret, identity: device.id.description, topic: topic.text, key: "")
        return WakePush(
            .silent(container, isUrgent: false), about: id, topic: topic, collapse: collapse, expires: expires
        ).message(.catchUp)
    }
}

extension WakePush {
    /// As it is sent, through any provider. Web Push encrypts the alert's text too.
    ///
    /// - Parameters:
    ///   - priority: who waits for it.
    ///   - replacesEarlier: whether messages with its collapse id follow each other.
    package func message(_ priority: PushPriority, replacesEarlier: Bool = true) -> PushMessage {
        let form = PushForm(
            apns: apnsBody, kind: isSilent ? .background : .alert, data: data, notification: notification, web: web,
            isUrgent: isUrgent)
        return PushMessage(
            form, priority, expires: expires, collapseID: collapse, replacesEarlier: replacesEarlier)
    }
}
