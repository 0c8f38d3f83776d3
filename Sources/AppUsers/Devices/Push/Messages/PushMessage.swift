package import LightningCoding
import LightningCrypto

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
    func fits(_ target: PushTarget) -> Bool {
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
    package func fitted(for target: PushTarget) -> PushMessage? {
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
        let isAllowed = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        self.text = isAllowed ? text : Hexadecimal.encode(SHA256.hash(Array(text.utf8)))
    }

    package var description: String { text }
}
