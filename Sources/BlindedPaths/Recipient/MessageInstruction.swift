public import LightningCrypto

/// What a node must do with an onion message received over a blinded path (BOLT 4, "Onion Messages").
public enum MessageInstruction: Equatable, Sendable {
    /// Forward it.
    case forward(to: NextNode)
    /// It is for this node. The path id must match the path that the node issued for this purpose, if any.
    case receive(pathID: SecretBytes?)

    /// Why the message is ignored, in BOLT 4's order of checks.
    public enum Fault: Error, Hashable, Sendable {
        /// `allowed_features` has an unknown bit; since none is defined, any bit is, even an odd one.
        case unknownFeature
        /// A node other than the last has a `path_id`.
        case pathIDBeforeTheEnd
        /// A node other than the last has neither `next_node_id` nor `short_channel_id`.
        case noNextNode
    }

    /// `isFinal`: whether the onion ends here. If both names of the next node are present, `next_node_id` is used.
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
