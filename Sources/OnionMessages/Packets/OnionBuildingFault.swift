/// Why an onion message cannot be created.
public enum OnionBuildingFault: Error, Hashable, Sendable {
    /// There are no nodes to send it to.
    case noLayers
    /// A payload of less than 2 bytes.
    case payloadTooShort
    /// The unknown records repeat one another or a known one.
    case invalidRecords
    /// It does not fit into the largest or requested packet.
    case tooLong
    /// No random bytes are available.
    case noRandomness
    /// A derived key is invalid (negligible probability).
    case unusableKey
}
