public import LightningCoding
public import LightningCrypto

/// BOLT 8 for one connection, as a state machine over bytes: it states how many bytes it needs next, takes exactly that
/// many, and returns what to do. It never needs more than 65551 bytes at once.
public struct SecureChannel: Sendable {
    /// The result of received bytes.
    public enum Event: Hashable, Sendable {
        /// Send these bytes.
        case send([UInt8])
        /// The handshake is complete, with this peer; send these bytes first, if any.
        case established(PublicKey, sendFirst: [UInt8])
        /// A length was read; its message follows.
        case continued
        /// A message arrived: type and payload, at most 65535 bytes.
        case message([UInt8])
    }

    private enum State {
        case initiating(HandshakeInitiator)
        case awaitingActOne(HandshakeResponder)
        case awaitingActThree(HandshakeResponder)
        case length(TransportKeys)
        case message(TransportKeys, count: Int)
        case failed
    }

    private var state: State

    /// The initiator's side. Send `opening` at once.
    public static func initiate(
        to remote: PublicKey, key: SecretKey, ephemeral: SecretKey
    ) throws(TransportFault) -> (channel: SecureChannel, opening: [UInt8]) {
        var handshake = HandshakeInitiator(to: remote, key: key, ephemeral: ephemeral)
        let actOne = try rethrowing(handshake.actOne(), as: TransportFault.handshake)
        return (SecureChannel(state: .initiating(handshake)), actOne)
    }

    /// The responder's side.
    public static func answer(key: SecretKey, ephemeral: SecretKey) -> SecureChannel {
        SecureChannel(state: .awaitingActOne(HandshakeResponder(key: key, ephemeral: ephemeral)))
    }

    private init(state: State) {
        self.state = state
    }

    /// How many bytes `receive` needs next; nil once the channel has failed.
    public var wanted: Int? {
        switch state {
        case .initiating: HandshakeFault.Act.two.byteCount
        case .awaitingActOne: HandshakeFault.Act.one.byteCount
        case .awaitingActThree: HandshakeFault.Act.three.byteCount
        case .length: TransportCipher.lengthCount
        case .message(_, let count): count
        case .failed: nil
        }
    }

    /// Takes exactly `wanted` bytes. After a fault the channel is unusable.
    public mutating func receive(_ bytes: [UInt8]) throws(TransportFault) -> Event {
        let before = state
        state = .failed
        do throws(HandshakeFault) {
            switch before {
            case .initiating(var handshake):
                let (actThree, keys) = try handshake.finish(actTwo: bytes)
                state = .length(keys)
                return .established(keys.remote, sendFirst: actThree)
            case .awaitingActOne(var handshake):
                let actTwo = try handshake.answer(actOne: bytes)
                state = .awaitingActThree(handshake)
                return .send(actTwo)
            case .awaitingActThree(var handshake):
                let keys = try handshake.finish(actThree: bytes)
                state = .length(keys)
                return .established(keys.remote, sendFirst: [])
            case .length, .message, .failed:
                break
            }
        } catch {
            throw .handshake(error)
        }
        return try receive(bytes, after: before)
    }

    private mutating func receive(_ bytes: [UInt8], after before: State) throws(TransportFault) -> Event {
        switch before {
        case .length(var keys):
            guard bytes.count == TransportCipher.lengthCount else { throw .order }
            let count = try keys.receiving.readLength(bytes)
            state = .message(keys, count: count)
            return .continued
        case .message(var keys, let count):
            guard bytes.count == count else { throw .order }
            let message = try keys.receiving.readMessage(bytes)
            state = .length(keys)
            return .message(message)
        default:
            throw .order
        }
    }

    /// The encrypted frame of a message. Throws `messageTooLong`, and `order` before the handshake is complete.
    public mutating func frame(_ message: some Collection<UInt8>) throws(TransportFault) -> [UInt8] {
        switch state {
        case .length(var keys):
            let bytes = try keys.sending.frame(message)
            state = .length(keys)
            return bytes
        case .message(var keys, let count):
            let bytes = try keys.sending.frame(message)
            state = .message(keys, count: count)
            return bytes
        default:
            throw .order
        }
    }
}

/// Why a connection's bytes are invalid, or a message cannot be sent. The connection is closed.
public enum TransportFault: Error, NamedRule, Hashable, Sendable {
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

/// The cipher of one direction of a connection, with its counter (BOLT 8, "Lightning Message Specification").
///
/// Every 1000 uses, that is every 500 messages, the key is rotated ("Lightning Message Key Rotation").
public struct TransportCipher: Sendable {
    private static let usesOfKey: UInt64 = 1000

    private var key: SecretBytes
    private var chainingKey: SecretBytes
    private var counter: UInt64 = 0

    /// An unused cipher. Both keys have 32 bytes.
    public init(key: SecretBytes, chainingKey: SecretBytes) {
        self.key = key
        self.chainingKey = chainingKey
    }

    mutating func seal(_ plaintext: some Collection<UInt8>) throws(CryptoFault) -> [UInt8] {
        try ChaCha20Poly1305.seal(plaintext, key: key, nonce: takeNonce())
    }

    mutating func open(_ sealed: some Collection<UInt8>) throws(CryptoFault) -> [UInt8] {
        let nonce = NoiseKeys.nonce(counter)
        let plaintext = try ChaCha20Poly1305.open(sealed, key: key, nonce: nonce)
        advance()
        return plaintext
    }

    private mutating func takeNonce() -> [UInt8] {
        defer { advance() }
        return NoiseKeys.nonce(counter)
    }

    private mutating func advance() {
        counter += 1
        guard counter == Self.usesOfKey else { return }
        (chainingKey, key) = NoiseKeys.derive(from: key, chainingKey: chainingKey)
        counter = 0
    }
}

/// The result of a handshake: the ciphers of both directions and the peer.
public struct TransportKeys: Sendable {
    /// Encrypts outgoing messages.
    public var sending: TransportCipher
    /// Decrypts incoming messages.
    public var receiving: TransportCipher
    /// The node id of the peer, which has proved that it has the key.
    public let remote: PublicKey
}
