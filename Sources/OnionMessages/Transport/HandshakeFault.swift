/// Why a handshake fails (BOLT 8, "Handshake Exchange"). The connection is then closed without a word.
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

    /// The act has another length than 50, 50 and 66 bytes.
    case length(Act)
    /// The act is of a version that is not 0.
    case version(Act, found: UInt8)
    /// The key in the act is no point of the curve in the compressed form.
    case key(Act)
    /// The ciphertext of the initiator's static key is not authentic.
    case ciphertext
    /// The authentication tag at the end of the act is not the right one.
    case tag(Act)
    /// The system's ciphers refuse their service.
    case cipherUnavailable
}
