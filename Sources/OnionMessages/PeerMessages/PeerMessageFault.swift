/// Why a message of another node cannot be read (BOLT 1). The connection is then closed.
public enum PeerMessageFault: Error, Hashable, Sendable {
    /// Fewer than the 2 bytes of a type.
    case noType
    /// A message that is read here ends before its fields do.
    case truncated(PeerMessageType)
    /// A type that is even and unknown.
    case unknownEven(PeerMessageType)
    /// The extension of `init` is no TLV stream.
    case initialExtension
    /// The extension of `init` holds a record of an unknown even type.
    case unknownInitialRecord(UInt64)
}
