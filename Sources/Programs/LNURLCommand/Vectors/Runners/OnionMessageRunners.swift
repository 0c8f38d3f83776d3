import BlindedPaths
import LightningCoding
import LightningCrypto
import OnionMessages

extension VectorRunner {
    static let onionMessages = [
        VectorRunner("bolt-04", "packet") { input in
            let layers = try input.elements("layers").map { layer in
                OnionPacket.Layer(
                    blindedNodeID: try layer.publicKey("blindedNodeID"), payload: try layer.bytes("payload"))
            }
            let packet = try OnionPacket(
                layers, size: input.packetSize(), sessionKey: SecretKey(input.bytes("sessionKey")))
            return ["packet": .hexadecimal(packet.bytes)]
        },
        VectorRunner("bolt-04", "send") { input in
            let message = try OnionMessage(
                over: BlindedPath(input.bytes("path")), content: input.content(),
                replyPath: input.has("replyPath") ? BlindedPath(input.bytes("replyPath")) : nil,
                unknownRecords: input.unknownRecords(), size: input.packetSize(),
                sessionKey: SecretKey(input.bytes("sessionKey")))
            return ["message": .hexadecimal(message.body)]
        },
        VectorRunner("bolt-04", "peel") { input in
            let key = try SecretKey(input.bytes("nodeKey"))
            switch try OnionMessage(body: input.bytes("message")[...]).peeled(by: key) {
            case .forward(let message, let next):
                return ["next": next.vectorValue, "message": .hexadecimal(message.body)]
            case .received(let message):
                return [
                    "pathID": .hexadecimal(message.pathID),
                    "replyPath": .hexadecimal(message.replyPath?.bytes),
                    "content": message.content?.vectorValue ?? .null,
                    "unknownRecords": .array(message.unknownRecords.map { .hexadecimal($0.raw) }),
                ]
            }
        },
        VectorRunner("bolt-08", "initiate") { input in
            var handshake = HandshakeInitiator(
                to: try input.publicKey("responder"), key: try SecretKey(input.bytes("key")),
                ephemeral: try SecretKey(input.bytes("ephemeral")))
            let actOne = try handshake.actOne()
            var (actThree, keys) = try handshake.finish(actTwo: input.bytes("actTwo"))
            return [
                "actOne": .hexadecimal(actOne), "actThree": .hexadecimal(actThree),
                "hello": .hexadecimal(try keys.sending.frame("hello".utf8)),
            ]
        },
        VectorRunner("bolt-08", "respond") { input in
            var handshake = HandshakeResponder(
                key: try SecretKey(input.bytes("key")), ephemeral: try SecretKey(input.bytes("ephemeral")))
            let actTwo = try handshake.answer(actOne: input.bytes("actOne"))
            var keys = try handshake.finish(actThree: input.bytes("actThree"))
            return [
                "actTwo": .hexadecimal(actTwo), "initiator": .string(keys.remote.hexadecimal),
                "hello": .hexadecimal(try keys.sending.frame("hello".utf8)),
            ]
        },
        VectorRunner("bolt-08", "frame") { input in
            var cipher = try TransportCipher(input)
            for _ in 0..<(try input.unsigned("index")) { _ = try cipher.frame([UInt8]()) }
            return ["frame": .hexadecimal(try cipher.frame(input.bytes("message")))]
        },
        VectorRunner("bolt-08", "read") { input in
            var cipher = try TransportCipher(input)
            for _ in 0..<(try input.unsigned("index")) { _ = try cipher.frame([UInt8]()) }
            var reader = ByteReader(try input.bytes("frame"))
            let count = try cipher.readLength(Array(reader.read(TransportCipher.lengthCount)))
            let message = try cipher.readMessage(Array(reader.read(count)))
            try reader.requireEnd()
            return ["message": .hexadecimal(message)]
        },
    ]
}

extension VectorInput {
    fileprivate func content() throws -> MessageContent? {
        guard has("content") else { return nil }
        let content = try member("content")
        let bytes = try content.bytes("value")
        switch try content.unsigned("type") {
        case 64: return .invoiceRequest(bytes)
        case 66: return .invoice(bytes)
        case 68: return .invoiceError(bytes)
        default: throw fault("type")
        }
    }

    fileprivate func unknownRecords() throws -> [TLVRecord] {
        try array("unknownRecords").flatMap { text in
            try TLVStream(parsing: Hexadecimal.decode(text.string ?? "")).records
        }
    }

    fileprivate func packetSize() throws -> OnionPacket.Size? {
        guard has("size") else { return nil }
        guard let size = OnionPacket.Size(rawValue: try number("size")) else { throw fault("size") }
        return size
    }
}

extension MessageContent {
    fileprivate var vectorValue: JSONValue {
        let type: UInt64 =
            switch self {
            case .invoiceRequest: 64
            case .invoice: 66
            case .invoiceError: 68
            }
        return ["type": .unsigned(type), "value": .hexadecimal(bytes)]
    }
}

extension TransportCipher {
    fileprivate init(_ input: VectorInput) throws {
        self.init(
            key: SecretBytes(try input.bytes("key")), chainingKey: SecretBytes(try input.bytes("chainingKey")))
    }
}
