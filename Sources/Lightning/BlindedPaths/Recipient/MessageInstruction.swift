public import LightningCoding
public import LightningCrypto

/// What a node must do with an onion message received over a blinded path (BOLT 4, "Onion Messages").
public enum MessageInstruction: Equatable, Sendable {
    /// Forward it.
    case forward(to: NextNode)
    /// It is for this node. The path id must match the path that the node issued for this purpose, if any.
    case receive(pathID: SecretBytes?)

    /// Why the message is ignored, in BOLT 4's order of checks.
    public enum Fault: Error, NamedRule, Hashable, Sendable {
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

/// The next node after a node of a blinded path.
public enum NextNode: Hashable, Sendable {
    /// The node with this id.
    case node(PublicKey)
    /// The node at the other end of this channel of the forwarding node; an alias is allowed.
    case channel(ShortChannelID)
}

extension RecipientData {
    /// Sets the one field that names the next node.
    mutating func setNext(_ next: NextNode) {
        switch next {
        case .node(let nodeID): nextNodeID = nodeID
        case .channel(let channel): shortChannelID = channel
        }
    }

    /// Whether a feature is required. None is defined, so any set bit is unknown, even an odd one.
    var hasUnknownFeature: Bool {
        allowedFeatures?.contains { $0 != 0 } ?? false
    }
}
