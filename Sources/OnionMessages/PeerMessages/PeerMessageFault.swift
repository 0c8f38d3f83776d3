/// Why a peer's message cannot be parsed (BOLT 1). The connection is then closed.
public enum PeerMessageFault: Error, Hashable, Sendable {
    /// Fewer than the 2 bytes of a type.
    case noType
    /// A known message is truncated.
    case truncated(PeerMessageType)
    /// An unknown even type.
    case unknownEven(PeerMessageType)
    /// The extension of `init` is not a TLV stream.
    case initialExtension
    /// The extension of `init` contains a record of an unknown even type.
    case unknownInitialRecord(UInt64)
}
