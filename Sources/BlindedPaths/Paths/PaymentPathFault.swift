public import LightningCoding

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

extension PaymentPathFault: ReadableFault {
    /// What the operator reads.
    public var reason: String {
        switch self {
        case .feeTooLarge: "the fees of the path are too large"
        case .cltvExpiryDeltaTooLarge, .maxCLTVExpiryTooLarge: "the path takes too many blocks"
        case .maximumBelowMinimum: "the path lets less through than the least that may be sent"
        case .path: "the blinded path cannot be made"
        }
    }
}
