import LightningCoding

extension VectorRunner {
    static let bech32 = [
        // Decodes a bech32 text: its human-readable part, its groups, and the text encoded again.
        VectorRunner("bech32", "decode") { input in
            let checksum = try input.bech32Checksum()
            let decoded = try Bech32.decode(input.text("text"), checksum: checksum)
            return [
                "humanReadablePart": .string(decoded.humanReadablePart),
                "groups": .string(Hexadecimal.encode(decoded.groups)),
                "text": .string(Bech32.encode(decoded, checksum: checksum)),
            ]
        },
        // Encodes a bech32 text.
        VectorRunner("bech32", "encode") { input in
            let text = Bech32.Text(
                humanReadablePart: try input.text("humanReadablePart"), groups: try input.bytes("groups"))
            return ["text": .string(Bech32.encode(text, checksum: try input.bech32Checksum()))]
        },
        // Joins 5-bit groups to bytes, and splits them into groups again.
        VectorRunner("bech32", "regroup") { input in
            let bytes = try Bech32.bytes(fromGroups: input.bytes("groups")[...])
            return [
                "bytes": .string(Hexadecimal.encode(bytes)),
                "groups": .string(Hexadecimal.encode(Bech32.groups(fromBytes: bytes))),
            ]
        },
    ]
}

extension VectorInput {
    fileprivate func bech32Checksum() throws(InputFault) -> Bech32.Checksum {
        switch try text("checksum") {
        case "bech32": .bech32
        case "none": .none
        default: throw fault("checksum")
        }
    }
}
