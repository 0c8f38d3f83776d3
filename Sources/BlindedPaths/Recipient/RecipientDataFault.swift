public import LightningCoding

/// Why a node cannot read the data that a recipient encrypted for it (BOLT 4, "Route Blinding", the reader of the
/// `encrypted_recipient_data`). A payment then fails; a message is ignored.
public enum RecipientDataFault: Error, Hashable, Sendable {
    /// The tag does not match: it was not encrypted for this node and path key.
    case undecryptable
    /// The plaintext is not a TLV stream.
    case spelling(CodingFault)
    /// A record of an unknown even type.
    case unknownEvenType(UInt64)
    /// The value of a known record is malformed.
    case invalidValue(type: UInt64)
}
