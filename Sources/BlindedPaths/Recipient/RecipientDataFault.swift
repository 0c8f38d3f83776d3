public import LightningCoding

/// Why a node cannot read the orders that a recipient encrypted for it (BOLT 4, "Route Blinding", the reader of the
/// `encrypted_recipient_data`). A payment is then failed, a message ignored.
public enum RecipientDataFault: Error, Hashable, Sendable {
    /// The tag does not fit: it was not encrypted for this node and path key.
    case undecryptable
    /// It decrypts, but to no TLV stream.
    case spelling(CodingFault)
    /// A record that must be understood and is not.
    case unknownEvenType(UInt64)
    /// A known record whose value is not of its form.
    case invalidValue(type: UInt64)
}
