/// What a payer's node learns from the failure code of a payment (BOLT 4, "Failure Messages"), as far as it decides
/// whether to try again.
public enum PaymentFailure: Hashable, Sendable {
    /// The recipient's peer could not forward it: a phone that sleeps looks like this, and may be awake in a second.
    case recipientAsleep
    /// A node on the way could not forward it; another way may do.
    case route
    /// The recipient refused it, or the payment can never succeed.
    case final

    /// Classifies a failure code.
    ///
    /// - Parameters:
    ///   - code: the failure code with its flags.
    ///   - origin: which node has sent it.
    public init(code: UInt16, from origin: Origin) {
        switch (origin, code) {
        case (.recipient, Self.temporaryNodeFailure): self = .route
        case (.recipient, _): self = .final
        case (.recipientsPeer, Self.unknownNextPeer), (.recipientsPeer, Self.temporaryChannelFailure),
            (.recipientsPeer, Self.channelDisabled):
            self = .recipientAsleep
        case (.recipientsPeer, _), (.another, _): self = .route
        }
    }

    /// Which node of a route has sent a failure.
    public enum Origin: Hashable, Sendable {
        /// The last one.
        case recipient
        /// The last but one.
        case recipientsPeer
        /// Any other.
        case another
    }

    private static let temporaryNodeFailure: UInt16 = 0x2002
    private static let unknownNextPeer: UInt16 = 0x400A
    private static let temporaryChannelFailure: UInt16 = 0x1007
    private static let channelDisabled: UInt16 = 0x1014
}
