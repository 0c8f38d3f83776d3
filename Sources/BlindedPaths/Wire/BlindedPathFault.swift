public import LightningCoding

/// Why bytes are no blinded path or payinfo, or why a path cannot be made.
public enum BlindedPathFault: Error, Hashable, Sendable {
    /// A field is cut off, or bytes follow where the field ends.
    case spelling(CodingFault)
    /// `first_node_id` starts with none of 00 to 03, or is no point.
    case invalidIntroductionNode
    /// `first_path_key` is no point.
    case invalidFirstPathKey
    /// `num_hops` is 0.
    case noHops
    /// `num_hops` does not fit in one byte.
    case tooManyHops
    /// A `blinded_node_id` is no point.
    case invalidBlindedNodeID
    /// An `encrypted_recipient_data` does not fit into its length of two bytes.
    case recipientDataTooLong
    /// The features of a payinfo do not fit into their length of two bytes.
    case featuresTooLong
    /// The unknown records to be encrypted repeat one another or a known one.
    case invalidRecipientData
    /// The secret of the path is unusable. It never happens by chance.
    case unusableSecret
}
