import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension DeviceMessage.Content {
    /// How long devices are told of a payment, in seconds: a week.
    private static let paymentLifetime: UInt64 = 7 * 86_400

    /// What an owner is told of a payment: "You received 21 sat". Nil for an invoice that is not paid.
    package init?(of invoice: IssuedInvoice, to owner: PublicKey) {
        guard let settlement = invoice.settlement else { return nil }
        let words: String? =
            switch invoice.origin {
            case .lnurl(let words): words.comment
            case .bolt12(let offered): offered.payerNote
            }
        self.init(
            received: settlement.received, of: invoice.paymentHash, to: owner, at: settlement.settledAt,
            words.map { "“\($0)”" } ?? "To \(invoice.account)")
    }

    /// What an owner is told of a payment that a device of theirs has received.
    ///
    /// - Parameters:
    ///   - amount: nil when nobody knows.
    ///   - hash: the invoice's.
    ///   - owner: who is told.
    ///   - moment: when it was received.
    ///   - body: what else there is to say.
    package init(
        received amount: Millisatoshi?, of hash: PaymentHash, to owner: PublicKey, at moment: UnixTime,
        _ body: String = ""
    ) {
        self.init(
            id: MessageID(payment: hash), owner: owner, type: .paymentReceived, priority: .normal,
            title: amount.map { "You received \($0.formatted)" } ?? "You received a payment", body: body,
            link: DeviceMessage.Link(type: .payment, target: hash.hexadecimal), createdAt: moment,
            expiresAt: moment.adding(seconds: Self.paymentLifetime))
    }
}

extension DeviceMessage {
    /// The push message that tells a device, encrypted for it: the provider learns the type only. Over Web Push, which
    /// encrypts everything, the alert says what there is to say.
    ///
    /// - Parameters:
    ///   - device: who is told.
    ///   - isSilent: whether only the app learns of it.
    ///   - unread: how many messages of the owner are unread.
    ///   - hasMore: whether other messages are pending for the device, which the app fetches.
    ///   - isComplete: whether the message is in it; otherwise the app fetches it.
    ///   - secret: what collapse ids are made with.
    ///   - random: draws a key and a nonce.
    package func push(
        to device: Device, isSilent: Bool, unread: UInt64, hasMore: Bool, isComplete: Bool, secret: SecretBytes,
        random: RandomSource
    ) throws(CryptoFault) -> PushMessage? {
        guard let key = device.profile.encryptionKey, let id = WakeID(content.id.text),
            let topic = WakeTopic(content.type.text)
        else { return nil }
        var payload = json
        payload.append("unread", .unsigned(unread))
        if hasMore { payload.append("more", .bool(true)) }
        let urgency: WakeMessage.Urgency =
            isSilent ? .background : content.priority == .high ? .timeSensitive : .alert
        let wake = WakeMessage(
            id: id, topic: topic, urgency: urgency, deadline: content.expiresAt,
            payload: isComplete ? .object(payload) : nil)
        let container = try WakeContainer(sealing: wake.plaintext, for: key, random: random)
        return PushMessage(
            isSilent
                ? .silent(container, isUrgent: false)
                : .alert(container, text(for: device), isTimeSensitive: content.priority == .high),
            about: id, topic, isSilent ? .catchUp : .alert, expires: content.expiresAt,
            collapse: CollapseID(
                secret: secret, identity: DeviceStatement.identity(of: content.owner), topic: topic.text,
                key: content.id.text),
            replacesEarlier: false)
    }

    private func text(for device: Device) -> AlertText {
        if case .webPush = device.address { return AlertText(title: content.title, body: content.body) }
        return switch content.type {
        case .paymentReceived: AlertText(title: "Payment received", body: "Open the app to see it.")
        case .security: AlertText(title: "Security notice", body: "Open the app to read it.")
        default: AlertText(title: "New message", body: "Open the app to read it.")
        }
    }
}

extension DeviceMessage.Content {
    /// How long devices are told of a notice, in seconds: a month.
    private static let noticeLifetime: UInt64 = 30 * 86_400

    /// What an owner is told when their Lightning address, or where its payers' questions go, has changed.
    package init?(_ change: RegistrationChange, at moment: UnixTime) {
        let (former, present) = (change.former, change.present)
        func address(_ name: AddressName?) -> String {
            "\(name.map { "\($0)" } ?? "Your name")@\(change.registration.domain)"
        }
        let (title, body): (String, String)
        var otherwise = Self.theft
        if let present, former.name != present.name {
            title = "Your Lightning address has changed"
            body = "\(address(former.name)) is now \(address(present.name))."
        } else if present != nil {
            title = "Your Lightning address now points elsewhere"
            body = "Another device, service or push token answers for \(address(former.name)) now."
        } else {
            title = "Your Lightning address was removed"
            body = "\(address(former.name)) can no longer be paid."
            otherwise = "it was not renewed in time, its operator has removed it, or \(otherwise)"
        }
        let versions = "\(change.registration.domain) \(former.version) \(present?.version ?? 0)"
        self.init(
            security: "registration", SHA256.hash(versions.utf8), to: change.registration.key, title, body,
            or: otherwise,
            at: moment)
    }

    /// What an owner is told when a device was added beside others.
    package init?(added device: Device, at moment: UnixTime) {
        self.init(
            security: "device", device.id.bytes, to: device.profile.owner, "A device was added",
            "A new device now receives your payment notifications.", or: Self.theft, at: moment)
    }

    private static let theft = "somebody else has the key of your wallet"

    private init?(
        security topic: String, _ digest: [UInt8], to owner: PublicKey, _ title: String, _ body: String,
        or otherwise: String, at moment: UnixTime
    ) {
        guard let id = MessageID("\(topic)-" + Hexadecimal.encode(digest.prefix(16))) else { return nil }
        self.init(
            id: id, owner: owner, type: .security, priority: .high, title: title,
            body: body + " If this was not you, \(otherwise).", createdAt: moment,
            expiresAt: moment.adding(seconds: Self.noticeLifetime))
    }

    /// What the operator tells every owner. The same text is told to nobody twice.
    package init?(announcing text: String, to owner: PublicKey, at moment: UnixTime) {
        guard let id = MessageID("announcement-" + Hexadecimal.encode(SHA256.hash(text.utf8).prefix(16))) else {
            return nil
        }
        self.init(
            id: id, owner: owner, type: .announcement, priority: .low, title: "Announcement", body: text,
            createdAt: moment, expiresAt: moment.adding(seconds: Self.noticeLifetime))
    }
}
