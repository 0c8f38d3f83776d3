/// Why no payment path can be made of some channels.
public enum PaymentPathFault: Error, Hashable, Sendable {
    /// The fees of all hops together do not fit into 32 bits.
    case feeTooLarge
    /// The blocks of all hops together do not fit into 16 bits.
    case cltvExpiryDeltaTooLarge
    /// `max_cltv_expiry` does not fit into 32 bits.
    case maxCLTVExpiryTooLarge
    /// What the smallest channel lets through is less than the least that may be sent.
    case maximumBelowMinimum
    /// The path itself cannot be made.
    case path(BlindedPathFault)
}
