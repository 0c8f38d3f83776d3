public import BlindedPaths
public import LightningCoding

/// Why a text or a TLV stream is not one of BOLT 12, before anything that its values mean.
public enum RecordFault: Error, Hashable, Sendable {
    /// The text is not bech32 without a checksum: its letters, its case, its `+`, its padding.
    case text(CodingFault)
    /// The text begins with another prefix.
    case wrongPrefix(expected: String)
    /// The bytes are not a TLV stream: an offset counts from their start.
    case stream(CodingFault)
    /// An even type that is not known here (BOLT 1, "Requirements").
    case unknownEvenType(UInt64)
    /// A known type whose value does not decode.
    case malformed(type: UInt64, ValueFault)
}

/// Why the value of a record does not decode.
public enum ValueFault: Error, Hashable, Sendable {
    /// Its spelling: an offset counts from the start of the value.
    case spelling(CodingFault)
    /// 33 bytes that are not a compressed point of the curve.
    case notAPoint
    /// A blinded path, or what it costs.
    case path(BlindedPathFault)
}
