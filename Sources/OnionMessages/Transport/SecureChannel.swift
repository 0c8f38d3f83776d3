import LightningCoding
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
