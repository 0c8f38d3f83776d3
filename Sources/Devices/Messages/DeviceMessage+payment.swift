public import Contracts
public import LightningCoding
public import LightningCrypto

extension DeviceMessage.Content {
    /// How long devices are told of a payment, in seconds: a week.
    private static let lifetime: UInt64 = 7 * 86_400

    /// What an owner is told of a payment: "You received 21 sat". Nil for an invoice that is not paid.
    public init?(of invoice: IssuedInvoice, to owner: PublicKey) {
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
    public init(
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
