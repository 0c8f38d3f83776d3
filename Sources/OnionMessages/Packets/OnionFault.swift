public import BlindedPaths
public import LightningCoding

/// Why an onion message is ignored, in the order of the checks (BOLT 4, "Onion Messages"). The sender is never told.
public enum OnionFault: Error, Hashable, Sendable {
    /// The message is truncated, or too short for a payload.
    case tooShort
    /// A packet of a version other than 0.
    case unknownVersion(UInt8)
    /// `path_key` is not a point.
    case invalidPathKey
    /// The packet's `public_key` is not a point.
    case invalidPublicKey
    /// The HMAC does not match: the message is for another node, or was modified.
    case badAuthenticationCode
    /// The length of the payload is not a bigsize, less than 2, or leaves no space for the next HMAC.
    case payloadOutOfBounds
    /// The payload is not a TLV stream.
    case spelling(CodingFault)
    /// A record of an unknown even type.
    case unknownEvenType(UInt64)
    /// `reply_path` is not a blinded path.
    case invalidReplyPath(BlindedPathFault)
    /// More than one of an invoice request, an invoice and an invoice error.
    case severalContents
    /// A node other than the last got no `encrypted_recipient_data`.
    case noRecipientData
    /// A node other than the last got fields besides `encrypted_recipient_data`.
    case furtherFieldsBeforeTheEnd
    /// The node cannot decrypt or parse its data.
    case recipientData(RecipientDataFault)
    /// The data gives no valid instruction.
    case order(MessageInstruction.Fault)
    /// The message is addressed to the same node more often than in any path of ours.
    case loop
    /// A derived key is invalid (negligible probability).
    case unusableKey
}
