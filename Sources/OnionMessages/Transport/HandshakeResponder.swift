public import LightningCrypto

/// The side of a handshake that was called, and learns at the end by whom (BOLT 8, "Handshake Exchange").
///
/// `answer(actOne:)` with the first 50 bytes, then `finish(actThree:)` with the next 66.
public struct HandshakeResponder: Sendable {
    private let key: SecretKey
    private let ephemeral: SecretKey
    private var state: HandshakeState

    /// Prepares a handshake.
    ///
    /// - Parameters:
    ///   - key: the own static key, whose public part the initiator must know.
    ///   - ephemeral: a fresh key, never used before or after.
    public init(key: SecretKey, ephemeral: SecretKey) {
        self.key = key
        self.ephemeral = ephemeral
        state = HandshakeState(responder: key.publicKey)
    }

    /// Reads the first act, 50 bytes, and gives the second one, 50 bytes.
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

    /// Reads the third act, 66 bytes, and gives the keys of the connection, with who called.
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
