/// Why a handshake failed (BOLT 8, "Handshake Exchange"). The connection is then closed silently.
public enum HandshakeFault: Error, Hashable, Sendable {
    /// One of the three messages of a handshake.
    public enum Act: Int, Hashable, Sendable {
        /// From the initiator: an ephemeral key.
        case one = 1
        /// From the responder: an ephemeral key.
        case two = 2
        /// From the initiator: its static key, encrypted.
        case three = 3

        /// The length of the act in bytes.
        public var byteCount: Int { self == .three ? 66 : 50 }
    }

    /// The act does not have its length of 50, 50 or 66 bytes.
    case length(Act)
    /// The version of the act is not 0.
    case version(Act, found: UInt8)
    /// The key in the act is not a compressed point of the curve.
    case key(Act)
    /// The initiator's encrypted static key is not authentic.
    case ciphertext
    /// The authentication tag of the act is wrong.
    case tag(Act)
    /// The system does not provide the cipher.
    case cipherUnavailable
}
