public import LightningCoding
public import LightningCrypto

/// What a node must do with an HTLC received over a blinded path (BOLT 4, "`payload` format", the reader).
public enum PaymentInstruction: Equatable, Sendable {
    /// Forward an HTLC of this amount and expiry (a block height).
    case forward(to: NextNode, amount: Millisatoshi, expiry: UInt32)
    /// It is for this node. The path id must match the path that the node issued for this payment.
    case receive(pathID: SecretBytes?)

    /// Why the payment fails, in BOLT 4's order of checks.
    public enum Fault: Error, NamedRule, Hashable, Sendable {
        /// The HTLC expires above `max_cltv_expiry`.
        case expiryTooHigh
        /// The amount is below `htlc_minimum_msat`.
        case amountTooLow
        /// `allowed_features` has an unknown bit; since none is defined, any bit is, even an odd one.
        case unknownFeature
        /// Both `short_channel_id` and `next_node_id` are present.
        case twoNextNodes
        /// A node other than the last has neither.
        case noNextNode
        /// A node other than the last has no `payment_relay`.
        case noPaymentRelay
        /// The amount does not cover the fee.
        case amountBelowFee
        /// The outgoing HTLC would have to expire before the first block.
        case expiryBelowDelta
    }

    /// `amount` and `expiry` (a block height) are those of the incoming HTLC; `isFinal`: whether the onion ends here.
    public init(
        _ data: RecipientData, isFinal: Bool, amount: Millisatoshi, expiry: UInt32
    ) throws(Fault) {
        if let constraints = data.paymentConstraints {
            guard expiry <= constraints.maxCLTVExpiry else { throw .expiryTooHigh }
            guard amount >= constraints.htlcMinimum else { throw .amountTooLow }
        }
        guard !data.hasUnknownFeature else { throw .unknownFeature }
        let next = try data.onlyNextNode
        guard !isFinal else {
            self = .receive(pathID: data.pathID)
            return
        }
        guard let next else { throw .noNextNode }
        guard let relay = data.paymentRelay else { throw .noPaymentRelay }
        guard let amount = relay.amountToForward(of: amount) else { throw .amountBelowFee }
        guard let expiry = relay.expiryToForward(of: expiry) else { throw .expiryBelowDelta }
        self = .forward(to: next, amount: amount, expiry: expiry)
    }
}

extension RecipientData {
    fileprivate var onlyNextNode: NextNode? {
        get throws(PaymentInstruction.Fault) {
            switch (shortChannelID, nextNodeID) {
            case (_?, _?): throw .twoNextNodes
            case (let channel?, nil): .channel(channel)
            case (nil, let nodeID?): .node(nodeID)
            case (nil, nil): nil
            }
        }
    }
}
