public import LightningCrypto

/// What a node has to do with an onion message that came to it over a blinded path (BOLT 4, "Onion Messages").
public enum MessageInstruction: Equatable, Sendable {
    /// Send it on.
    case forward(to: NextNode)
    /// It is for this node. It must match the path that the node gave out for this purpose, if it gave out one.
    case receive(pathID: SecretBytes?)

    /// Why the message is to be ignored, in the order in which BOLT 4 asks.
    public enum Fault: Error, Hashable, Sendable {
        /// `allowed_features` has a bit that is unknown, which all are, odd ones too.
        case unknownFeature
        /// A node that is not the last has a `path_id`.
        case pathIDBeforeTheEnd
        /// A node that is not the last has neither `next_node_id` nor `short_channel_id`.
        case noNextNode
    }

    /// `isFinal`: whether the onion ends here. With both names of the next node, `next_node_id` counts.
    public init(_ data: RecipientData, isFinal: Bool) throws(Fault) {
        guard !data.hasUnknownFeature else { throw .unknownFeature }
        guard !isFinal else {
            self = .receive(pathID: data.pathID)
            return
        }
        guard data.pathID == nil else { throw .pathIDBeforeTheEnd }
        if let nodeID = data.nextNodeID {
            self = .forward(to: .node(nodeID))
        } else if let channel = data.shortChannelID {
            self = .forward(to: .channel(channel))
        } else {
            throw .noNextNode
        }
    }
}
