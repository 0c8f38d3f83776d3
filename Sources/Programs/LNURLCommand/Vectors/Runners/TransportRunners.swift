import LightningCoding
import LightningCrypto
import OnionMessages

extension VectorRunner {
    static let transport = [
        // Initiates a handshake (BOLT 8).
        VectorRunner("bolt-08", "initiate") { input in
            var handshake = HandshakeInitiator(
                to: try input.publicKey("responder"), key: try SecretKey(input.bytes("key")),
                ephemeral: try SecretKey(input.bytes("ephemeral")))
            let actOne = try handshake.actOne()
            var (actThree, keys) = try handshake.finish(actTwo: input.bytes("actTwo"))
            return [
                "actOne": .string(Hexadecimal.encode(actOne)), "actThree": .string(Hexadecimal.encode(actThree)),
                "hello": .string(Hexadecimal.encode(try keys.sending.frame("hello".utf8))),
            ]
        },
        // Responds to a handshake (BOLT 8).
        VectorRunner("bolt-08", "respond") { input in
            var handshake = HandshakeResponder(
                key: try SecretKey(input.bytes("key")), ephemeral: try SecretKey(input.bytes("ephemeral")))
            let actTwo = try handshake.answer(actOne: input.bytes("actOne"))
            var keys = try handshake.finish(actThree: input.bytes("actThree"))
            return [
                "actTwo": .string(Hexadecimal.encode(actTwo)), "initiator": .string(keys.remote.hexadecimal),
                "hello": .string(Hexadecimal.encode(try keys.sending.frame("hello".utf8))),
            ]
        },
        // Encrypts a message after others (BOLT 8).
        VectorRunner("bolt-08", "frame") { input in
            var cipher = try TransportCipher(input)
            for _ in 0..<(try input.unsigned("index")) { _ = try cipher.frame([UInt8]()) }
            return ["frame": .string(Hexadecimal.encode(try cipher.frame(input.bytes("message"))))]
        },
        // Decrypts a message after others (BOLT 8).
        VectorRunner("bolt-08", "read") { input in
            var cipher = try TransportCipher(input)
            for _ in 0..<(try input.unsigned("index")) { _ = try cipher.frame([UInt8]()) }
            var reader = ByteReader(try input.bytes("frame"))
            let count = try cipher.readLength(Array(reader.read(TransportCipher.lengthCount)))
            let message = try cipher.readMessage(Array(reader.read(count)))
            try reader.requireEnd()
            return ["message": .string(Hexadecimal.encode(message))]
        },
    ]
}

extension TransportCipher {
    fileprivate init(_ input: VectorInput) throws {
        self.init(
            key: SecretBytes(try input.bytes("key")), chainingKey: SecretBytes(try input.bytes("chainingKey")))
    }
}
