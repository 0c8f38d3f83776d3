import LightningCoding
import LightningCrypto

/// Why a connection's bytes are invalid, or a message cannot be sent. The connection is closed.
public enum TransportFault: Error, Hashable, Sendable {
    /// The handshake has failed.
    case handshake(HandshakeFault)
    /// The authentication tag of a length or message is wrong.
    case tag
    /// The message to send is longer than 65535 bytes.
    case messageTooLong
    /// The wrong number of bytes, or a step out of order.
    case order
}

extension TransportCipher {
    /// The length of an encrypted length on the wire.
    public static let lengthCount = 2 + ChaCha20Poly1305.tagCount

    /// A message in wire format: its 2-byte big-endian length and itself, each encrypted.
    ///
    /// Throws `messageTooLong`.
    public mutating func frame(_ message: some Collection<UInt8>) throws(TransportFault) -> [UInt8] {
        guard let count = UInt16(exactly: message.count) else { throw .messageTooLong }
        return try rethrowing(
            seal([UInt8(count >> 8), UInt8(count & 0xff)]) + seal(message),
            as: TransportFault.handshake(.cipherUnavailable))
    }

    /// The number of bytes on the wire of the message after an encrypted length, including its tag. Throws `tag`.
    public mutating func readLength(_ sealed: [UInt8]) throws(TransportFault) -> Int {
        guard let length = try? open(sealed), length.count == 2 else { throw .tag }
        return Int(length[0]) << 8 + Int(length[1]) + ChaCha20Poly1305.tagCount
    }

    /// The decrypted message. Throws `tag`.
    public mutating func readMessage(_ sealed: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard let message = try? open(sealed) else { throw .tag }
        return message
    }
}
