public import LightningCoding
public import LightningCrypto

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
