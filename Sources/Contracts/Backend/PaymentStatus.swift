public import LightningCoding
public import LightningCrypto

/// The state of an invoice's payment at its node. The preimage is available only once it is settled.
public enum PaymentStatus: Equatable, Sendable {
    /// It can be paid.
    case open
    /// It has been paid.
    case settled(at: UnixTime, received: Millisatoshi, preimage: Preimage)
    /// It expired before it was paid.
    case expired
    /// It was cancelled and can no longer be paid.
    case cancelled
}
