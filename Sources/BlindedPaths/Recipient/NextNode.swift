public import LightningCoding
public import LightningCrypto

/// Where a node of a blinded path sends on to.
public enum NextNode: Hashable, Sendable {
    /// The node with this id.
    case node(PublicKey)
    /// The node at the other end of this channel of the forwarding node; its alias will do.
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

    /// Whether a feature is demanded. None is defined, so every set bit is an unknown one, and odd bits count too.
    var hasUnknownFeature: Bool {
        allowedFeatures?.contains { $0 != 0 } ?? false
    }
}
