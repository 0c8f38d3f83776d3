public import LightningCoding
public import LightningCrypto

/// What a node has to do with an HTLC that came to it over a blinded path (BOLT 4, "`payload` format", the reader).
public enum PaymentInstruction: Equatable, Sendable {
    /// Send an HTLC of this amount and expiry (a block height) on.
    case forward(to: NextNode, amount: Millisatoshi, expiry: UInt32)
    /// It is for this node. It must match the path that the node gave out for this payment.
    case receive(pathID: SecretBytes?)

    /// Why the payment is to be failed, in the order in which BOLT 4 asks.
    public enum Fault: Error, Hashable, Sendable {
        /// The HTLC expires above `max_cltv_expiry`.
        case expiryTooHigh
        /// The amount is below `htlc_minimum_msat`.
        case amountTooLow
        /// `allowed_features` has a bit that is unknown, which all are, odd ones too.
        case unknownFeature
        /// Both `short_channel_id` and `next_node_id` are there.
        case twoNextNodes
        /// A node that is not the last has neither.
        case noNextNode
        /// A node that is not the last has no `payment_relay`.
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
