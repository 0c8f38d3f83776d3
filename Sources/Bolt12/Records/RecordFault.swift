public import BlindedPaths
public import LightningCoding

/// Why a text or TLV stream is not valid BOLT 12, regardless of the meaning of its values.
public enum RecordFault: Error, Hashable, Sendable {
    /// The text is not bech32 without a checksum: its characters, case, `+` or padding.
    case text(CodingFault)
    /// The text has another prefix.
    case wrongPrefix(expected: String)
    /// The bytes are not a TLV stream; the offset is from their start.
    case stream(CodingFault)
    /// An unknown even type (BOLT 1, "Requirements").
    case unknownEvenType(UInt64)
    /// The value of a known type is malformed.
    case malformed(type: UInt64, ValueFault)
}

/// Why the value of a record cannot be decoded.
public enum ValueFault: Error, Hashable, Sendable {
    /// A coding fault; the offset is from the start of the value.
    case spelling(CodingFault)
    /// 33 bytes that are not a compressed point of the curve.
    case notAPoint
    /// A blinded path or payinfo.
    case path(BlindedPathFault)
}
