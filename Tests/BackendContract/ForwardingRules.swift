import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

extension BackendRule {
    static let forwarding = [
        BackendRule(
            "A node that forwards tells of a peer whether it is there and what can be sent to it, of strangers nothing"
        ) { fixture in
            let backend = try await fixture.connect()
            let key = try SecretKey([UInt8](repeating: 0x22, count: 32)).publicKey
            let stranger = try SecretKey([UInt8](repeating: 0x23, count: 32)).publicKey
            let amounts = [Millisatoshi(21_000), Millisatoshi(4_000_000)]
            guard let node = backend.forwarding else {
                #expect(try await !fixture.openChannels(to: key, sendable: amounts, isConnected: true))
                return
            }
            #expect(try await node.forwardingPeer(key) == nil)
            for isConnected in [true, false] {
                #expect(try await fixture.openChannels(to: key, sendable: amounts, isConnected: isConnected))
                let expected = ForwardingPeer(
                    isConnected: isConnected, channels: amounts.map { .init(isEnabled: isConnected, sendable: $0) })
                #expect(try await node.forwardingPeer(key) == expected)
                #expect(try await node.forwardingPeer(stranger) == nil)
            }
        }
    ]
}
