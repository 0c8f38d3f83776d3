package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension DeviceMessage.Content {
    /// How long devices are told of a payment, in seconds: a week.
    private static let lifetime: UInt64 = 7 * 86_400

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
            expiresAt: moment.adding(seconds: Self.lifetime))
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
