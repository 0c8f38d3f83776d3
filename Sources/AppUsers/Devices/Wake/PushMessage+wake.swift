package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// What a push message about a wake holds.
package enum WakeContent: Hashable, Sendable {
    /// The first of two: silent. On Android, only one of high priority wakes a phone that sleeps.
    case silent(WakeContainer, isUrgent: Bool)
    case alert(WakeContainer, AlertText, isTimeSensitive: Bool)
    /// The second of two: visible, since the first was not handled in time.
    case fallback(AlertText)
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

extension PushMessage {
    /// A push message about a wake, for any provider. Web Push encrypts the alert's text too.
    ///
    /// - Parameters:
    ///   - collapse: replaces a stored message of the same id.
    ///   - expires: when providers stop trying.
    ///   - replacesEarlier: whether messages with its collapse id follow each other.
    package init(
        _ content: WakeContent, about id: WakeID, _ topic: WakeTopic, _ priority: PushPriority, expires: UnixTime,
        collapse: CollapseID, replacesEarlier: Bool = true
    ) {
        let fallback: JSONValue = ["v": 1, "id": .string(id.text), "topic": .string(topic.text)]
        func visible(_ text: AlertText, isMutable: Bool, isTimeSensitive: Bool) -> JSONValue {
            var aps: JSONObject = ["alert": .object(text.json), "sound": "default"]
            if isMutable { aps.append("mutable-content", 1) }
            aps.append("interruption-level", isTimeSensitive ? "time-sensitive" : "active")
            aps.append("thread-id", .string(topic.text))
            return .object(aps)
        }
        let form: PushForm
        switch content {
        case .silent(let container, let isUrgent):
            let wake = container.json
            form = PushForm(
                apns: ["aps": ["content-available": 1], "wake": .object(wake)], kind: .background,
                data: Self.texts("wake", .object(wake)), web: ["wake": .object(wake)], isUrgent: isUrgent)
        case .alert(let container, let text, let isTimeSensitive):
            let wake = container.json
            var web = text.json
            web.append("wake", .object(wake))
            form = PushForm(
                apns: [
                    "aps": visible(text, isMutable: true, isTimeSensitive: isTimeSensitive), "wake": .object(wake),
                ], kind: .alert, data: Self.texts("wake", .object(wake)), web: web, isUrgent: true)
        case .fallback(let text):
            // What Android shows without the app.
            var notification = text.json
            notification.append("channel_id", "wake")
            notification.append("tag", .string(collapse.text))
            var web = text.json
            web.append("wake_fallback", fallback)
            form = PushForm(
                apns: [
                    "aps": visible(text, isMutable: false, isTimeSensitive: true), "wake_fallback": fallback,
                ], kind: .alert, data: Self.texts("wake_fallback", fallback), notification: notification, web: web,
                isUrgent: true)
        }
        self.init(form, priority, expires: expires, collapseID: collapse, replacesEarlier: replacesEarlier)
    }

    /// FCM accepts texts only.
    private static func texts(_ name: String, _ value: JSONValue) -> JSONObject {
        [name: .string(value.serialized())]
    }

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
        return PushMessage(
            .silent(container, isUrgent: false), about: id, topic, .catchUp, expires: expires, collapse: collapse)
    }
}
