import LightningCrypto
import OnionMessages

/// The cost of the handshake with another node (BOLT 8).
enum HandshakeMeasurements {
    static func make() throws -> [Measurement] {
        let keys = try (1...4).map { try SecretKey([UInt8](repeating: $0, count: 32)) }
        let responder = keys[1].publicKey
        return [
            Measurement(name: "BOLT 8 handshake, both sides", calls: 200) {
                var (caller, actOne) = try SecureChannel.initiate(to: responder, key: keys[0], ephemeral: keys[2])
                var called = SecureChannel.answer(key: keys[1], ephemeral: keys[3])
                guard case .send(let actTwo) = try called.receive(actOne),
                    case .established(_, let actThree) = try caller.receive(actTwo)
                else { return }
                _ = try called.receive(actThree)
            }
        ]
    }
}
