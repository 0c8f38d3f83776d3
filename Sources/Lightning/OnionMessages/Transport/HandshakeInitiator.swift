public import LightningCrypto

/// The side of a handshake that opened the connection and knows its peer (BOLT 8, "Handshake Exchange").
///
/// `actOne()`, then `finish(actTwo:)` with the 50 bytes received.
public struct HandshakeInitiator: Sendable {
    private let key: SecretKey
    private let ephemeral: SecretKey
    private let responder: PublicKey
    private var state: HandshakeState

    /// Prepares a handshake.
    ///
    /// - Parameters:
    ///   - responder: the node id of the expected responder.
    ///   - key: our static key.
    ///   - ephemeral: a fresh key, used only once.
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

    /// Takes the second act, 50 bytes, and returns the third, 66 bytes, with the keys of the connection.
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
    /// Reads act one or two, which have the same format: version, ephemeral key, tag.
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
