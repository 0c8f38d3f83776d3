import BlindedPaths
import LightningCrypto
import OnionMessages

extension FuzzTarget {
    static let onionMessages = [
        FuzzTarget("message-payload") { bytes in
            try requireRoundTrip(bytes, { try MessagePayload(parsing: $0) }, { try $0.encoded() })
        },
        FuzzTarget("onion-message") { bytes in
            guard let message = try? OnionMessage(body: bytes[...]) else { return }
            try require((try? OnionMessage(body: message.body[...])) == message, "a message is read as it was written")
            _ = try? message.peeled(by: nodeKey.get())
        },
        // The layers are encrypted here, since no mutation would find the authentication codes.
        FuzzTarget("onion-payload") { bytes in
            let layer = try OnionPacket.Layer(blindedNodeID: nodeKey.get().publicKey, payload: bytes)
            guard let packet = try? OnionPacket([layer], sessionKey: otherKey.get()) else { return }
            let peeled = try? packet.peeled(by: nodeKey.get())
            try require(peeled?.payload == bytes && peeled?.next == nil, "what is encrypted can be decrypted")
            let hop = try HopSecret(pathKey: otherKey.get().publicKey, nodeKey: nodeKey.get())
            let blinded = try OnionPacket.Layer(
                blindedNodeID: hop.blindedKey(of: nodeKey.get()).publicKey, payload: bytes)
            let message = try OnionMessage(
                pathKey: otherKey.get().publicKey, packet: OnionPacket([blinded], sessionKey: otherKey.get()))
            _ = try? message.peeled(by: nodeKey.get())
        },
        FuzzTarget("peer-message") { bytes in
            guard let message = try? PeerMessage(bytes) else { return }
            if case .dropped = message { return }
            let again = try? PeerMessage(message.bytes)
            try require(again?.bytes == message.bytes, "a message is read as it was written")
        },
        FuzzTarget("peer-transport") { bytes in
            var (sender, receiver) = try connected()
            // What a peer sends, well framed, and then whatever comes.
            let message = try? sender.frame(bytes.prefix(64))
            for input in [message ?? [], bytes] {
                var rest = input[...]
                while let wanted = receiver.wanted, wanted <= rest.count {
                    if case .message(let received)? = try? receiver.receive(Array(rest.prefix(wanted))) {
                        try require(received == Array(bytes.prefix(64)), "a frame is opened as it was sealed")
                    }
                    rest = rest.dropFirst(wanted)
                }
            }
            var responder = try SecureChannel.answer(key: nodeKey.get(), ephemeral: otherKey.get())
            _ = try? responder.receive(bytes)
        },
        FuzzTarget(text: "peer-address") { text in try requireRoundTrip(text, { try PeerAddress($0) }, \.description) },
    ]

    private static let nodeKey = Result { try SecretKey([UInt8](repeating: 0x42, count: 32)) }
    private static let otherKey = Result { try SecretKey([UInt8](repeating: 0x43, count: 32)) }

    private static func connected() throws -> (SecureChannel, SecureChannel) {
        var (sender, actOne) = try SecureChannel.initiate(
            to: nodeKey.get().publicKey, key: otherKey.get(), ephemeral: otherKey.get())
        var receiver = try SecureChannel.answer(key: nodeKey.get(), ephemeral: nodeKey.get())
        guard case .send(let actTwo) = try receiver.receive(actOne),
            case .established(_, let actThree) = try sender.receive(actTwo),
            case .established = try receiver.receive(actThree)
        else { throw BrokenRule("a handshake succeeds") }
        return (sender, receiver)
    }
}
