/// Why an onion message cannot be made.
public enum OnionBuildingFault: Error, Hashable, Sendable {
    /// There is nobody to send it to.
    case noLayers
    /// A payload of less than 2 bytes.
    case payloadTooShort
    /// The records without a field repeat one another or a known one.
    case invalidRecords
    /// It does not fit into the largest packet, or not into the one that was asked for.
    case tooLong
    /// There are no random bytes.
    case noRandomness
    /// A key gives no point or scalar. It never happens by chance.
    case unusableKey
}
