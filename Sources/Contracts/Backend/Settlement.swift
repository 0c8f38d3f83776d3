public import LightningCoding
public import LightningCrypto

/// A payment that a node has received: final.
public struct Settlement: Equatable, Sendable {
    /// The hash of the invoice that was paid.
    public let paymentHash: PaymentHash
    /// The preimage that the payer now holds.
    public let preimage: Preimage
    /// What arrived, in msat; may differ from the invoice's amount (BOLT 4 allows up to twice).
    public let received: Millisatoshi
    /// When the node counted it as settled.
    public let settledAt: UnixTime
    /// Where the node's stream of settlements stands with this one included.
    public let cursor: SettlementCursor
    /// The node's own offer that was paid; nil for the payment of an invoice that was ordered.
    public let offered: OfferedPayment?

    /// Creates a settlement.
    public init(
        paymentHash: PaymentHash,
        preimage: Preimage,
        received: Millisatoshi,
        settledAt: UnixTime,
        cursor: SettlementCursor,
        offered: OfferedPayment? = nil
    ) {
        self.paymentHash = paymentHash
        self.preimage = preimage
        self.received = received
        self.settledAt = settledAt
        self.cursor = cursor
        self.offered = offered
    }

    /// What in it cannot be true: a preimage of another hash, more than all bitcoin, a time after the year 9999; nil when nothing is.
    public var contradiction: BackendFault? {
        if preimage.paymentHash != paymentHash { return .malformedAnswer("a preimage of another hash") }
        if received > .maximum { return .malformedAnswer("an amount above all bitcoin") }
        if settledAt > .lastSecond { return .malformedAnswer("a time after the year 9999") }
        return nil
    }
}

extension Settlement {
    /// Whether the preimage is that of the hash. A settlement that is not proven is never written down.
    public var isProven: Bool { preimage.paymentHash == paymentHash }
}

/// A place in a node's stream of settlements, opaque to everyone but the backend that made it: CLN's `pay_index`, LND's
/// `settle_index`, the embedded node's counter, in text.
public struct SettlementCursor: Hashable, Sendable {
    /// The backend's own notation.
    public let text: String

    /// Creates a cursor.
    public init(_ text: String) {
        self.text = text
    }
}
