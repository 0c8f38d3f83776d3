import LightningCoding

/// Decodes a bech32 text: its human-readable part, its groups, and the text encoded again.
struct Bech32DecodeRunner: VectorRunner {
    static let standard = "bech32"
    static let subject = "decode"

    func run(_ input: VectorInput) throws -> JSONObject {
        let checksum = try input.bech32Checksum()
        let decoded = try Bech32.decode(input.string("text"), checksum: checksum)
        return [
            "humanReadablePart": .string(decoded.humanReadablePart),
            "groups": .string(Hexadecimal.encode(decoded.groups)),
            "text": .string(Bech32.encode(decoded, checksum: checksum)),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? CodingFault)?.rule
    }
}

/// Encodes a bech32 text.
struct Bech32EncodeRunner: VectorRunner {
    static let standard = "bech32"
    static let subject = "encode"

    func run(_ input: VectorInput) throws -> JSONObject {
        let text = Bech32.Text(
            humanReadablePart: try input.string("humanReadablePart"), groups: try input.bytes("groups"))
        return ["text": .string(Bech32.encode(text, checksum: try input.bech32Checksum()))]
    }

    func rule(of fault: any Error) -> String? {
        nil
    }
}

/// Joins 5-bit groups to bytes, and splits them into groups again.
struct Bech32RegroupRunner: VectorRunner {
    static let standard = "bech32"
    static let subject = "regroup"

    func run(_ input: VectorInput) throws -> JSONObject {
        let bytes = try Bech32.bytes(fromGroups: input.bytes("groups"))
        return [
            "bytes": .string(Hexadecimal.encode(bytes)),
            "groups": .string(Hexadecimal.encode(Bech32.groups(fromBytes: bytes))),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? CodingFault)?.rule
    }
}

extension VectorInput {
    fileprivate func bech32Checksum() throws(Fault) -> Bech32.Checksum {
        switch try string("checksum") {
        case "bech32": .bech32
        case "none": .none
        default: throw Fault(member: "checksum")
        }
    }
}
