import LightningCoding
import LightningCrypto
import OnionMessages

/// Initiates a handshake (BOLT 8).
struct InitiateRunner: VectorRunner {
    static let standard = "bolt-08"
    static let subject = "initiate"

    func run(_ input: VectorInput) throws -> JSONObject {
        var handshake = HandshakeInitiator(
            to: try input.publicKey("responder"), key: try SecretKey(input.bytes("key")),
            ephemeral: try SecretKey(input.bytes("ephemeral")))
        let actOne = try handshake.actOne()
        var (actThree, keys) = try handshake.finish(actTwo: input.bytes("actTwo"))
        return [
            "actOne": .string(Hexadecimal.encode(actOne)), "actThree": .string(Hexadecimal.encode(actThree)),
            "hello": .string(Hexadecimal.encode(try keys.sending.frame("hello".utf8))),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? HandshakeFault)?.rule
    }
}

/// Responds to a handshake (BOLT 8).
struct RespondRunner: VectorRunner {
    static let standard = "bolt-08"
    static let subject = "respond"

    func run(_ input: VectorInput) throws -> JSONObject {
        var handshake = HandshakeResponder(
            key: try SecretKey(input.bytes("key")), ephemeral: try SecretKey(input.bytes("ephemeral")))
        let actTwo = try handshake.answer(actOne: input.bytes("actOne"))
        var keys = try handshake.finish(actThree: input.bytes("actThree"))
        return [
            "actTwo": .string(Hexadecimal.encode(actTwo)), "initiator": .string(keys.remote.hexadecimal),
            "hello": .string(Hexadecimal.encode(try keys.sending.frame("hello".utf8))),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? HandshakeFault)?.rule
    }
}

/// Encrypts a message after others (BOLT 8).
struct FrameRunner: VectorRunner {
    static let standard = "bolt-08"
    static let subject = "frame"

    func run(_ input: VectorInput) throws -> JSONObject {
        var cipher = try TransportCipher(input)
        for _ in 0..<(try input.unsigned("index")) { _ = try cipher.frame([UInt8]()) }
        return ["frame": .string(Hexadecimal.encode(try cipher.frame(input.bytes("message"))))]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? TransportFault)?.rule
    }
}

/// Decrypts a message after others (BOLT 8).
struct ReadFrameRunner: VectorRunner {
    static let standard = "bolt-08"
    static let subject = "read"

    func run(_ input: VectorInput) throws -> JSONObject {
        var cipher = try TransportCipher(input)
        for _ in 0..<(try input.unsigned("index")) { _ = try cipher.frame([UInt8]()) }
        var reader = ByteReader(try input.bytes("frame"))
        let count = try cipher.readLength(Array(reader.read(TransportCipher.lengthCount)))
        let message = try cipher.readMessage(Array(reader.read(count)))
        try reader.requireEnd()
        return ["message": .string(Hexadecimal.encode(message))]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? CodingFault)?.rule ?? (fault as? TransportFault)?.rule
    }
}

extension TransportCipher {
    fileprivate init(_ input: VectorInput) throws {
        self.init(
            key: SecretBytes(try input.bytes("key")), chainingKey: SecretBytes(try input.bytes("chainingKey")))
    }
}

extension HandshakeFault {
    fileprivate var rule: String? {
        switch self {
        case .length: "length"
        case .version: "version"
        case .key: "key"
        case .ciphertext: "ciphertext"
        case .tag: "tag"
        case .cipherUnavailable: nil
        }
    }
}

extension TransportFault {
    fileprivate var rule: String? {
        switch self {
        case .tag: "tag"
        case .messageTooLong: "message-too-long"
        case .handshake, .order: nil
        }
    }
}
