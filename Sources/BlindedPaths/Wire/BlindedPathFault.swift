public import LightningCoding

/// Why bytes are not a blinded path or payinfo, or why a path cannot be built.
public enum BlindedPathFault: Error, Hashable, Sendable {
    /// A field is truncated, or bytes follow its end.
    case spelling(CodingFault)
    /// `first_node_id` starts with none of 00 to 03, or is not a point.
    case invalidIntroductionNode
    /// `first_path_key` is not a point.
    case invalidFirstPathKey
    /// `num_hops` is 0.
    case noHops
    /// `num_hops` does not fit in one byte.
    case tooManyHops
    /// A `blinded_node_id` is not a point.
    case invalidBlindedNodeID
    /// An `encrypted_recipient_data` exceeds its two-byte length.
    case recipientDataTooLong
    /// The features of a payinfo exceed their two-byte length.
    case featuresTooLong
    /// The unknown records to encrypt repeat one another or a known one.
    case invalidRecipientData
    /// The secret of the path is unusable (negligible probability).
    case unusableSecret
}

extension BlindedPathFault: ReadableFault {
    /// What is wrong, worded to follow a colon.
    public var reason: String {
        switch self {
        case .spelling(let fault): fault.reason
        case .invalidIntroductionNode: "a path has no valid introduction node"
        case .invalidFirstPathKey: "the key of a path is not a public key"
        case .noHops: "a path has no hop"
        case .tooManyHops: "a path has too many hops"
        case .invalidBlindedNodeID: "a blinded node id is not a public key"
        case .recipientDataTooLong: "the data for a hop is too long"
        case .featuresTooLong: "the features of a path are too long"
        case .invalidRecipientData: "the data for a hop repeats a record"
        case .unusableSecret: "the secret of a path is unusable"
        }
    }
}
