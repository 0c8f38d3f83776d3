import BlindedPaths
import LightningCoding
import LightningCrypto
import OnionMessages

extension VectorRunner {
    static let onionMessages = [
        // Encrypts layers into a packet.
        VectorRunner("bolt-04", "packet") { input in
            let layers = try input.elements("layers").map { layer in
                OnionPacket.Layer(
                    blindedNodeID: try layer.publicKey("blindedNodeID"), payload: try layer.bytes("payload"))
            }
            let packet = try OnionPacket(
                layers, size: input.packetSize(), sessionKey: SecretKey(input.bytes("sessionKey")))
            return ["packet": .string(Hexadecimal.encode(packet.bytes))]
        },
        // Creates a message over a path.
        VectorRunner("bolt-04", "send") { input in
            let message = try OnionMessage(
                over: BlindedPath(input.bytes("path")), content: input.content(),
                replyPath: input.has("replyPath") ? BlindedPath(input.bytes("replyPath")) : nil,
                unknownRecords: input.unknownRecords(), size: input.packetSize(),
                sessionKey: SecretKey(input.bytes("sessionKey")))
            return ["message": .string(Hexadecimal.encode(message.body))]
        },
        // Peels a message at one node of its route.
        VectorRunner("bolt-04", "peel") { input in
            let key = try SecretKey(input.bytes("nodeKey"))
            switch try OnionMessage(body: input.bytes("message")[...]).peeled(by: key) {
            case .forward(let message, let next):
                return ["next": next.vectorValue, "message": .string(Hexadecimal.encode(message.body))]
            case .received(let message):
                return [
                    "pathID": .hexadecimal(message.pathID),
                    "replyPath": .hexadecimal(message.replyPath?.bytes),
                    "content": message.content?.vectorValue ?? .null,
                    "unknownRecords": .array(message.unknownRecords.map { .string(Hexadecimal.encode($0.raw)) }),
                ]
            }
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

    /// The length of a packet's payloads, when a case sets one.
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
        return ["type": .unsigned(type), "value": .string(Hexadecimal.encode(bytes))]
    }
}
