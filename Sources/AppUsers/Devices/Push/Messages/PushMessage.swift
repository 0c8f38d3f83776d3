package import LightningCoding
package import LightningCrypto
import ResponderCore
package import ResponderModel

package struct PushMessage: Hashable, Sendable {
    package let form: PushForm
    /// What the form was made of, if a part of it can be left out.
    package let content: PushContent?
    package let priority: PushPriority
    /// When it stops being useful. Providers keep undelivered messages until then.
    package let expires: UnixTime
    /// Replaces an undelivered message with the same id; nil for requests that wait for a reply, none of which may be lost.
    package let collapseID: CollapseID?

    /// Whether messages with its collapse id follow each other, so that only the last counts. Otherwise the id only keeps a
    /// message from being shown twice.
    package let replacesEarlier: Bool

    package init(
        _ content: PushContent, _ priority: PushPriority, expires: UnixTime, collapseID: CollapseID? = nil,
        replacesEarlier: Bool = true
    ) {
        self.init(
            content.form, of: content, priority, expires: expires, collapseID: collapseID,
            replacesEarlier: replacesEarlier)
    }

    /// - Parameter content: what the form was made of, if a part of it can be left out.
    package init(
        _ form: PushForm, of content: PushContent? = nil, _ priority: PushPriority, expires: UnixTime,
        collapseID: CollapseID? = nil, replacesEarlier: Bool = true
    ) {
        self.form = form
        self.content = content
        self.priority = priority
        self.expires = expires
        self.collapseID = collapseID
        self.replacesEarlier = replacesEarlier
    }
}

/// What a push message holds, in the form of each provider.
package struct PushForm: Hashable, Sendable {
    package let apns: JSONObject
    package let kind: APNsKind
    /// The data for FCM, all of it texts.
    package let data: JSONObject
    /// What Android shows without the app: a member `notification` for FCM. Nil for data only.
    package let notification: JSONObject?
    package let web: JSONObject
    /// Whether a phone that sleeps is woken for it.
    package let isUrgent: Bool

    /// The values of `apns-push-type` that are used here.
    package enum APNsKind: String, Sendable {
        /// Shows something, or runs the app's extension.
        case alert
        /// Wakes the app for some seconds.
        case background

        /// A background push must not be urgent.
        var priority: String { self == .alert ? "10" : "5" }
    }

    package init(
        apns: JSONObject, kind: APNsKind, data: JSONObject, notification: JSONObject? = nil, web: JSONObject,
        isUrgent: Bool
    ) {
        self.apns = apns
        self.kind = kind
        self.data = data
        self.notification = notification
        self.web = web
        self.isUrgent = isUrgent
    }

    /// Whether the target's provider takes it: see ``PushLimits``.
    func fits(_ target: PushAddress) -> Bool {
        switch target {
        case .apns: apnsBody.count <= PushLimits.apnsBody
        case .fcm: FCMPush.dataCount(of: data) <= PushLimits.fcmData
        case .webPush: webPlaintext.count <= PushLimits.webPushPlaintext
        }
    }

    package var apnsBody: [UInt8] { JSONValue.object(apns).serializedBytes() }

    var webPlaintext: [UInt8] { JSONValue.object(web).serializedBytes() }
}

package enum PushPriority: Int, CaseIterable, Comparable, Sendable {
    /// Somebody waits for the device's reply.
    case reply
    /// The user is to see it.
    case alert
    /// The app is to fetch what it has missed.
    case catchUp

    /// The more urgent one is less.
    package static func < (one: PushPriority, other: PushPriority) -> Bool { one.rawValue < other.rawValue }
}

/// The largest messages that providers take, in bytes after serializing.
package enum PushLimits {
    package static let apnsBody = 4096
    /// Keys and values of a message's data at FCM together.
    package static let fcmData = 4096
    /// The plaintext of Web Push: one record of 4096 bytes less header, delimiter and tag (RFC 8291, section 4).
    package static let webPushPlaintext = 4096 - 103
}

extension PushMessage {
    /// The message as it fits into what the target's provider takes; nil when it does not.
    package func fitted(for target: PushAddress) -> PushMessage? {
        if form.fits(target) { return self }
        return content?.fitted { $0.form.fits(target) }.map {
            PushMessage($0, priority, expires: expires, collapseID: collapseID, replacesEarlier: replacesEarlier)
        }
    }
}

/// The id with which a message replaces an undelivered one: 1 to 64 visible ASCII characters.
package struct CollapseID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// The id for one thing that a user is told of. The provider can link it neither to the thing, such as a payment hash,
    /// nor to the same thing at another user.
    ///
    /// - Parameters:
    ///   - secret: a key that the provider does not know.
    ///   - identity: the user or device.
    ///   - topic: the type of message.
    ///   - key: the thing.
    package init(secret: some Collection<UInt8>, identity: String, topic: String, key: String) {
        text = Hexadecimal.encode(HMACSHA256.authenticate(Array("\(identity)|\(topic)|\(key)".utf8), key: secret))
    }

    /// An id chosen by somebody else: as it is when it is allowed, else its SHA-256 in hexadecimal.
    package init(_ text: String) {
        self.text = text.isVisibleASCII(upTo: 64) ? text : Hexadecimal.encode(SHA256.hash(Array(text.utf8)))
    }

    package var description: String { text }
}

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

/// What a notification plugin on a phone reads: a type, a payload, and data of the app's own.
///
/// Source: Breez's notification plugins for iOS and Android (`notification_type`, `notification_payload`, `app_data`).
package struct PushContent: Hashable, Sendable {
    /// The type: `lnurlpay_info`.
    package let type: String
    /// The title that iOS shows until its extension has replaced it.
    package let title: String
    /// The payload, which the device gets as JSON in a text.
    package var payload: JSONObject
    /// Data that the sender of the notification passes to the app.
    package let appData: String?

    package init(type: String, title: String, payload: JSONObject, appData: String? = nil) {
        self.type = type
        self.title = title
        self.payload = payload
        self.appData = appData
    }

    package var object: JSONObject { NotificationEnvelope.push.notification(type, payload, appData: appData) }

    /// The content without what can be left out, as little of it as necessary; nil when it still does not fit.
    ///
    /// First the verify URL goes, which only saves a poll, then the comment. Nothing is truncated.
    ///
    /// - Parameter fits: whether a content, serialized, is small enough for the provider.
    package func fitted(_ fits: (PushContent) -> Bool) -> PushContent? {
        var content = self
        if fits(content) { return content }
        for member in ["verify_url", "comment"] where content.payload[member] != nil {
            content.payload[member] = nil
            if fits(content) { return content }
        }
        return nil
    }

    /// The forms that notification plugins read. On iOS the extension runs only for an alert with a text and
    /// `mutable-content`.
    package var form: PushForm {
        let texts = object
        var apns: JSONObject = ["aps": ["alert": ["title": .string(title)], "mutable-content": 1]]
        apns.append(texts)
        return PushForm(apns: apns, kind: .alert, data: texts, web: texts, isUrgent: true)
    }
}
