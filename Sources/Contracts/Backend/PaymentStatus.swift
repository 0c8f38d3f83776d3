public import LightningCoding
public import LightningCrypto

/// Where the payment of an invoice stands at its node. The preimage exists only where the payment does.
public enum PaymentStatus: Equatable, Sendable {
    /// It can be paid.
    case open
    /// It has been paid.
    case settled(at: UnixTime, received: Millisatoshi, preimage: Preimage)
    /// Its time ran out before it was paid.
    case expired
    /// It was let go, and can no longer be paid.
    case cancelled
}
