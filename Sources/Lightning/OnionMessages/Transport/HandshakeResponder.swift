public import LightningCrypto

/// The side of a handshake that accepted the connection, and learns its peer at the end (BOLT 8, "Handshake Exchange").
///
/// `answer(actOne:)` with the first 50 bytes, then `finish(actThree:)` with the next 66.
public struct HandshakeResponder: Sendable {
    private let key: SecretKey
    private let ephemeral: SecretKey
    private var state: HandshakeState

    /// Prepares a handshake.
    ///
    /// - Parameters:
    ///   - key: our static key, whose public key the initiator must know.
    ///   - ephemeral: a fresh key, used only once.
    public init(key: SecretKey, ephemeral: SecretKey) {
        self.key = key
        self.ephemeral = ephemeral
        state = HandshakeState(responder: key.publicKey)
    }

    /// Takes the first act, 50 bytes, and returns the second, 50 bytes.
    ///
    /// Throws `length`, `version`, `key` or `tag`.
    public mutating func answer(actOne: [UInt8]) throws(HandshakeFault) -> [UInt8] {
        let remote = try state.readEphemeral(actOne, .one, sharedWith: key)
        do {
            let point = ephemeral.publicKey.bytes
            state.mix(point)
            state.mix(key: try ephemeral.sharedSecret(with: remote))
            return [0] + point + (try state.seal([]))
        } catch {
            throw .cipherUnavailable
        }
    }

    /// Takes the third act, 66 bytes, and returns the keys of the connection, including the initiator's node id.
    ///
    /// Throws `length`, `version`, `ciphertext`, `key` or `tag`.
    public mutating func finish(actThree: [UInt8]) throws(HandshakeFault) -> TransportKeys {
        guard actThree.count == HandshakeFault.Act.three.byteCount else { throw .length(.three) }
        guard actThree[0] == 0 else { throw .version(.three, found: actThree[0]) }
        guard let point = try? state.open(Array(actThree[1..<50]), counter: 1) else { throw .ciphertext }
        guard let remote = try? PublicKey(point), let secret = try? ephemeral.sharedSecret(with: remote) else {
            throw .key(.three)
        }
        state.mix(key: secret)
        guard (try? state.open(Array(actThree[50...]))) != nil else { throw .tag(.three) }
        let ciphers = state.ciphers()
        return TransportKeys(sending: ciphers.responder, receiving: ciphers.initiator, remote: remote)
    }
}
