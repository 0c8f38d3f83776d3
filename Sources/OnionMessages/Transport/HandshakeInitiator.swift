public import LightningCrypto

/// The side of a handshake that has opened the connection and knows whom it wants to reach (BOLT 8, "Handshake Exchange").
///
/// `actOne()`, then `finish(actTwo:)` with the 50 bytes that come back.
public struct HandshakeInitiator: Sendable {
    private let key: SecretKey
    private let ephemeral: SecretKey
    private let responder: PublicKey
    private var state: HandshakeState

    /// Prepares a handshake.
    ///
    /// - Parameters:
    ///   - responder: the node id of who must answer.
    ///   - key: the own static key.
    ///   - ephemeral: a fresh key, never used before or after.
    public init(to responder: PublicKey, key: SecretKey, ephemeral: SecretKey) {
        self.responder = responder
        self.key = key
        self.ephemeral = ephemeral
        state = HandshakeState(responder: responder)
    }

    /// The first act, 50 bytes.
    public mutating func actOne() throws(HandshakeFault) -> [UInt8] {
        do {
            let point = ephemeral.publicKey.bytes
            state.mix(point)
            state.mix(key: try ephemeral.sharedSecret(with: responder))
            return [0] + point + (try state.seal([]))
        } catch {
            throw .cipherUnavailable
        }
    }

    /// Reads the second act, 50 bytes, and gives the third one, 66 bytes, with the keys of the connection.
    ///
    /// Throws `length`, `version`, `key` or `tag`.
    public mutating func finish(
        actTwo: [UInt8]
    ) throws(HandshakeFault) -> (actThree: [UInt8], keys: TransportKeys) {
        let remote = try state.readEphemeral(actTwo, .two, sharedWith: ephemeral)
        do {
            let sealedKey = try state.seal(key.publicKey.bytes, counter: 1)
            state.mix(key: try key.sharedSecret(with: remote))
            let actThree = [0] + sealedKey + (try state.seal([]))
            let ciphers = state.ciphers()
            return (
                actThree, TransportKeys(sending: ciphers.initiator, receiving: ciphers.responder, remote: responder)
            )
        } catch {
            throw .cipherUnavailable
        }
    }
}

extension HandshakeState {
    /// Reads act one or two: version, ephemeral key, tag; both have the same form.
    mutating func readEphemeral(
        _ act: [UInt8], _ number: HandshakeFault.Act, sharedWith own: SecretKey
    ) throws(HandshakeFault) -> PublicKey {
        guard act.count == number.byteCount else { throw .length(number) }
        guard act[0] == 0 else { throw .version(number, found: act[0]) }
        guard let ephemeral = try? PublicKey(act[1..<34]) else { throw .key(number) }
        mix(ephemeral.bytes)
        guard let secret = try? own.sharedSecret(with: ephemeral) else { throw .key(number) }
        mix(key: secret)
        guard (try? open(Array(act[34...]))) != nil else { throw .tag(number) }
        return ephemeral
    }
}
