public import LightningCoding
public import LightningCrypto

/// A final payment that a node has received.
public struct Settlement: Equatable, Sendable {
    /// The hash of the invoice that was paid.
    public let paymentHash: PaymentHash
    /// The preimage that the payer now holds.
    public let preimage: Preimage
    /// The amount received, in msat; may differ from the invoice's (BOLT 4 allows up to twice).
    public let received: Millisatoshi
    /// When the node recorded it as settled.
    public let settledAt: UnixTime
    /// The position in the node's stream of settlements, after this one.
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

    /// What is impossible about it: a preimage that does not match the hash, more than all bitcoin, a time after the
    /// year 9999; nil when nothing is.
    public var contradiction: BackendFault? {
        if preimage.paymentHash != paymentHash { return .malformedAnswer("a preimage of another hash") }
        if received > .maximum { return .malformedAnswer("an amount above all bitcoin") }
        if settledAt > .lastSecond { return .malformedAnswer("a time after the year 9999") }
        return nil
    }
}

/// A position in a node's stream of settlements, opaque to all but the backend that made it: CLN's `pay_index`, LND's
/// `settle_index`, the embedded node's counter, as text.
public struct SettlementCursor: Hashable, Sendable {
    /// The backend's own notation.
    public let text: String

    /// Creates a cursor.
    public init(_ text: String) {
        self.text = text
    }
}
