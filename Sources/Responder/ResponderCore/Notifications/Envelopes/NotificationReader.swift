package import LightningCoding
package import LightningCrypto

/// Reads notifications in these envelopes:
///
/// | envelope | form |
/// |---|---|
/// | webhook | `{"template": type, "data": {…}}` |
/// | webhook | `{"event": type, "data": {…}}` |
/// | push | `{"notification_type": type, "notification_payload": "{…}", "app_data": …}`, alone or inside `body` |
/// | encrypted push | `{"aps": {"alert": {"payload": {"cipher": …, "iv": …, "tag": …, "publicKey": …}}}}` |
///
/// Every envelope supports every type. Unknown members are ignored.
package struct NotificationReader: Sendable {
    package var names: EnvelopeNames
    /// Decrypts payloads; without it, encrypted ones are reported as such.
    package var key: PayloadKey?

    /// The longest notification, in bytes: an invoice request can fill a Lightning message, in hexadecimal, plus its
    /// offer as text.
    package static let maximumCount = 1 << 18

    package init(names: EnvelopeNames = EnvelopeNames(), key: PayloadKey? = nil) {
        self.names = names
        self.key = key
    }

    /// Reads the bytes of a notification: a webhook's body, a push message's data as JSON.
    package func read(_ body: [UInt8]) throws(EnvelopeFault) -> ReceivedNotification {
        guard body.count <= Self.maximumCount else { throw .tooLarge }
        let json = try rethrowing(JSONValue(parsing: body), as: EnvelopeFault.json)
        guard let object = json.object else { throw .notAnObject }
        return try read(object)
    }

    /// Reads a notification that is already parsed and within the size limit.
    package func read(_ object: JSONObject) throws(EnvelopeFault) -> ReceivedNotification {
        guard let envelope = try envelope(in: object, insideBody: false) else { throw .unknownEnvelope }
        let payload = MemberReader(envelope.payload, names)
        do {
            return ReceivedNotification(
                type: envelope.type,
                payload: envelope.payload,
                event: try event(in: envelope, payload),
                replyURL: envelope.event == nil ? try NotifiedEvent.replyURL(envelope.type, payload) : nil,
                appData: envelope.appData,
                messageID: envelope.messageID ?? messageID(in: object),
                envelope: envelope.envelope
            )
        } catch {
            throw .payload(error)
        }
    }

    private func event(in envelope: DecodedEnvelope, _ payload: MemberReader) throws(MemberFault) -> NotifiedEvent {
        if let event = envelope.event { return event }
        return try NotifiedEvent(envelope.type, payload)
    }

    struct DecodedEnvelope {
        let type: NotificationType
        let payload: JSONObject
        /// Set instead of reading the payload, when it cannot be decrypted.
        var event: NotifiedEvent?
        let appData: JSONValue?
        var messageID: String?
        let envelope: ReceivedNotification.Envelope
    }

    func envelope(in object: JSONObject, insideBody: Bool) throws(EnvelopeFault) -> DecodedEnvelope? {
        let form = MemberReader(object)
        for (member, envelope) in [(names.template, ReceivedNotification.Envelope.template), (names.event, .event)]
        where form.value(member) != nil {
            let name = try typeName(member, in: form)
            do {
                return DecodedEnvelope(
                    type: names.type(named: name), payload: try form.object(names.data),
                    appData: form.value(names.appData), messageID: messageID(in: object), envelope: envelope)
            } catch {
                throw .member(error)
            }
        }
        if form.value(names.type) != nil { return try pushed(form) }
        if !insideBody, case .object(let inner)? = form.value(names.body) {
            return try envelope(in: inner, insideBody: true)
        }
        return encrypted(in: object).map { deciphered($0, as: nil, in: form) }
    }

    private func pushed(_ form: MemberReader) throws(EnvelopeFault) -> DecodedEnvelope {
        let type = names.type(named: try typeName(names.type, in: form))
        if form.value(names.payload) == nil, let payload = encrypted(in: form.object) {
            return deciphered(payload, as: type, in: form)
        }
        let text = try rethrowing(form.text(names.payload, maximum: Self.maximumCount), as: EnvelopeFault.member)
        let json = try rethrowing(JSONValue(parsing: text), as: EnvelopeFault.payloadJSON)
        guard let payload = json.object else { throw .member(MemberFault(names.payload, .notAnObject)) }
        return DecodedEnvelope(
            type: type, payload: payload, appData: form.value(names.appData),
            messageID: messageID(in: form.object), envelope: .push)
    }

    private func typeName(_ member: String, in form: MemberReader) throws(EnvelopeFault) -> String {
        try rethrowing(form.text(member, maximum: NotificationType.maximumCount), as: EnvelopeFault.member)
    }

    private func messageID(in object: JSONObject) -> String? {
        for name in names.messageIDs {
            if let id = object[name]?.string, !id.isEmpty, id.utf8.count <= MemberReader.maximumText { return id }
        }
        return nil
    }
}

extension NotificationReader {
    func encrypted(in object: JSONObject) -> JSONObject? {
        object["aps"]?["alert"]?["payload"]?.object
    }

    /// Decrypts a payload. Failing to is not an envelope fault: someone must still be notified.
    func deciphered(_ payload: JSONObject, as type: NotificationType?, in form: MemberReader) -> DecodedEnvelope {
        do throws(DecipherFault) {
            guard let key else { throw .noKey }
            let plaintext = try EncryptedPayload(payload).opened(with: key)
            guard let object = plaintext.object else { throw .plaintext }
            return try envelope(of: object, as: type, in: form)
        } catch {
            return DecodedEnvelope(
                type: type ?? .undecipherable, payload: [:], event: .undecipherable(error),
                appData: form.value(names.appData), envelope: .encrypted)
        }
    }

    /// An encrypted payload holds a whole envelope, `{"type":…,"payload":{…}}`, or, when the type is outside, the
    /// payload alone.
    private func envelope(
        of object: JSONObject, as type: NotificationType?, in form: MemberReader
    ) throws(DecipherFault) -> DecodedEnvelope {
        if let type { return envelope(type, object, in: form) }
        do {
            if let inner = try self.envelope(in: object, insideBody: true), inner.envelope != .encrypted {
                return DecodedEnvelope(
                    type: inner.type, payload: inner.payload, appData: inner.appData ?? form.value(names.appData),
                    messageID: inner.messageID, envelope: .encrypted)
            }
        } catch {
            throw .plaintext
        }
        guard let name = object["type"]?.string, !name.isEmpty, name.utf8.count <= NotificationType.maximumCount else {
            throw .plaintext
        }
        return envelope(names.type(named: name), object["payload"]?.object ?? [:], in: form)
    }

    private func envelope(_ type: NotificationType, _ payload: JSONObject, in form: MemberReader) -> DecodedEnvelope {
        DecodedEnvelope(type: type, payload: payload, appData: form.value(names.appData), envelope: .encrypted)
    }
}

/// Decrypts payloads: the private key whose public key the app has given to the sender, and the name of its purpose.
package struct PayloadKey: Sendable {
    let secret: SecretKey
    let purpose: String

    package init(_ secret: SecretKey, purpose: String) {
        self.secret = secret
        self.purpose = purpose
    }
}

package enum DecipherFault: Error, Hashable, Sendable {
    case noKey
    case member(MemberFault)
    /// It was encrypted for another key or purpose, or modified.
    case authentication
    /// The plaintext is not a notification.
    case plaintext
}

/// An encrypted payload: AES-256-GCM with a key agreed between the sender's key and ours.
struct EncryptedPayload {
    private let sealed: SealedPayload

    /// Reads `cipher` (base64), `iv`, `tag` and `publicKey` (hexadecimal).
    init(_ object: JSONObject) throws(DecipherFault) {
        let reader = MemberReader(object)
        do {
            let cipher = try Self.base64("cipher", in: reader)
            let nonce = try reader.hexadecimal("iv")
            guard (12...16).contains(nonce.count) else { throw MemberFault("iv", .notHexadecimal) }
            let tag = try reader.hexadecimal("tag")
            guard tag.count == 16 else { throw MemberFault("tag", .notHexadecimal) }
            let point = try reader.hexadecimal("publicKey")
            guard let sender = try? PublicKey(point) else { throw MemberFault("publicKey", .notHexadecimal) }
            sealed = SealedPayload(ciphertext: cipher, nonce: nonce, tag: tag, sender: sender)
        } catch let fault as MemberFault {
            throw .member(fault)
        } catch {
            throw .plaintext
        }
    }

    func opened(with key: PayloadKey) throws(DecipherFault) -> JSONValue {
        let plaintext = try rethrowing(
            sealed.opened(with: key.secret, purpose: key.purpose), as: DecipherFault.authentication)
        return try rethrowing(JSONValue(parsing: plaintext), as: DecipherFault.plaintext)
    }

    private static func base64(_ name: String, in reader: MemberReader) throws(MemberFault) -> [UInt8] {
        let text = try reader.text(name, maximum: NotificationReader.maximumCount)
        return try rethrowing(Base64.decode(text), as: MemberFault(name, .notBase64))
    }
}

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
    package func notification(_ type: String, _ payload: JSONObject, appData: String? = nil) -> JSONObject {
        switch self {
        case .template: return ["template": .string(type), "data": .object(payload)]
        case .event: return ["event": .string(type), "data": .object(payload)]
        case .push, .pushBody:
            var message: JSONObject = [
                "notification_type": .string(type),
                "notification_payload": .string(JSONValue.object(payload).serialized()),
            ]
            if let appData { message.append("app_data", .string(appData)) }
            return self == .push ? message : ["body": .object(message)]
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
