public import Contracts
import LightningCoding
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
            id: MessageID(payment: invoice.paymentHash), owner: owner, type: .paymentReceived, priority: .normal,
            title: "You received \(settlement.received.formatted)",
            body: words.map { "“\($0)”" } ?? "To \(invoice.account)",
            link: DeviceMessage.Link(type: .payment, target: invoice.paymentHash.hexadecimal),
            createdAt: settlement.settledAt, expiresAt: settlement.settledAt.adding(seconds: Self.lifetime))
    }
}
