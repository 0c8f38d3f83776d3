import LightningCrypto

/// Why a connection's bytes cannot be used, or a message not be sent. The connection is closed.
public enum TransportFault: Error, Hashable, Sendable {
    /// The handshake has failed.
    case handshake(HandshakeFault)
    /// The authentication tag of a length or of a message is not the right one.
    case tag
    /// The message to send is longer than 65535 bytes.
    case messageTooLong
    /// Bytes of another count than were asked for, or a step that does not follow the one before.
    case order
}

extension TransportCipher {
    /// How many bytes the encrypted length takes on the wire.
    public static let lengthCount = 2 + ChaCha20Poly1305.tagCount

    /// A message as it travels: its length in 2 bytes, big-endian, and itself, each encrypted.
    ///
    /// Throws `messageTooLong`.
    public mutating func frame(_ message: some Collection<UInt8>) throws(TransportFault) -> [UInt8] {
        guard let count = UInt16(exactly: message.count) else { throw .messageTooLong }
        do {
            return try seal([UInt8(count >> 8), UInt8(count & 0xff)]) + seal(message)
        } catch {
            throw .handshake(.cipherUnavailable)
        }
    }

    /// How many bytes the message behind an encrypted length takes on the wire, its tag included. Throws `tag`.
    public mutating func readLength(_ sealed: [UInt8]) throws(TransportFault) -> Int {
        guard let length = try? open(sealed), length.count == 2 else { throw .tag }
        return Int(length[0]) << 8 + Int(length[1]) + ChaCha20Poly1305.tagCount
    }

    /// The message in its encrypted form. Throws `tag`.
    public mutating func readMessage(_ sealed: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard let message = try? open(sealed) else { throw .tag }
        return message
    }
}
