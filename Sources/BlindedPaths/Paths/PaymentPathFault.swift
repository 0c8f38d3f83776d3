public import LightningCoding

/// Why no payment path can be built over the given channels.
public enum PaymentPathFault: Error, Hashable, Sendable {
    /// The combined fees do not fit into 32 bits.
    case feeTooLarge
    /// The combined CLTV deltas do not fit into 16 bits.
    case cltvExpiryDeltaTooLarge
    /// `max_cltv_expiry` does not fit into 32 bits.
    case maxCLTVExpiryTooLarge
    /// The smallest channel maximum is below the required minimum.
    case maximumBelowMinimum
    /// The path itself cannot be built.
    case path(BlindedPathFault)
}

extension PaymentPathFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .feeTooLarge: "the fees of the path are too large"
        case .cltvExpiryDeltaTooLarge, .maxCLTVExpiryTooLarge: "the path takes too many blocks"
        case .maximumBelowMinimum: "the path lets less through than the least that may be sent"
        case .path: "the blinded path cannot be made"
        }
    }
}
