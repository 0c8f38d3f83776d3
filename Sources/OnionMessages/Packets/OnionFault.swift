public import BlindedPaths
public import LightningCoding

/// Why an onion message is ignored, in the order in which it is read (BOLT 4, "Onion Messages"). No sender ever learns it.
public enum OnionFault: Error, Hashable, Sendable {
    /// The bytes end before the message does, or leave no room for a payload.
    case tooShort
    /// A packet of a version other than 0.
    case unknownVersion(UInt8)
    /// `path_key` is no point.
    case invalidPathKey
    /// The packet's `public_key` is no point.
    case invalidPublicKey
    /// The code is not the one of these payloads: the message is for another node, or somebody has changed it.
    case badAuthenticationCode
    /// The length of the payload is no bigsize, less than 2, or leaves no room for the next code.
    case payloadOutOfBounds
    /// The payload is no TLV stream.
    case spelling(CodingFault)
    /// A record that must be understood and is not.
    case unknownEvenType(UInt64)
    /// `reply_path` is no blinded path.
    case invalidReplyPath(BlindedPathFault)
    /// More than one of an invoice request, an invoice and an invoice error.
    case severalContents
    /// A node that is not the last got no `encrypted_recipient_data`.
    case noRecipientData
    /// A node that is not the last got other fields beside `encrypted_recipient_data`.
    case furtherFieldsBeforeTheEnd
    /// The node cannot read its orders.
    case recipientData(RecipientDataFault)
    /// The orders cannot be followed.
    case order(MessageInstruction.Fault)
    /// The message leads to the same node more often than a path of ours does.
    case loop
    /// A key gives no point or scalar. It never happens by chance.
    case unusableKey
}
