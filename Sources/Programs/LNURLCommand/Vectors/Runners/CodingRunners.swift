import LightningCoding

extension VectorRunner {
    static let coding = [
        VectorRunner("bech32", "decode") { input in
            let checksum = try input.bech32Checksum()
            let decoded = try Bech32.decode(input.text("text"), checksum: checksum)
            return [
                "humanReadablePart": .string(decoded.humanReadablePart),
                "groups": .hexadecimal(decoded.groups),
                "text": .string(Bech32.encode(decoded, checksum: checksum)),
            ]
        },
        VectorRunner("bech32", "encode") { input in
            let text = Bech32.Text(
                humanReadablePart: try input.text("humanReadablePart"), groups: try input.bytes("groups"))
            return ["text": .string(Bech32.encode(text, checksum: try input.bech32Checksum()))]
        },
        VectorRunner("bech32", "regroup") { input in
            let bytes = try Bech32.bytes(fromGroups: input.bytes("groups")[...])
            return ["bytes": .hexadecimal(bytes), "groups": .hexadecimal(Bech32.groups(fromBytes: bytes))]
        },
        VectorRunner("bigsize", "decode") { input in
            var reader = ByteReader(try input.bytes("bytes"))
            let value = try reader.readBigSize()
            try reader.requireEnd()
            return ["value": .unsigned(value)]
        },
        VectorRunner("bigsize", "encode") { input in
            var writer = ByteWriter()
            writer.writeBigSize(try input.unsigned("value"))
            return ["bytes": .hexadecimal(writer.bytes)]
        },
        VectorRunner("tlv", "parse") { input in
            let stream = try TLVStream(parsing: input.bytes("stream"))
            let rewritten = try TLVStream(stream.records.map { TLVRecord(type: $0.type, value: $0.value) })
            return [
                "records": .array(
                    stream.records.map { record in
                        ["type": .unsigned(record.type), "value": .hexadecimal(record.value)]
                    }),
                "stream": .hexadecimal(rewritten.bytes),
            ]
        },
        VectorRunner("tlv", "truncated-integer") { input in
            var reader = ByteReader(try input.bytes("bytes"))
            let value =
                switch try input.unsigned("bits") {
                case 16: UInt64(try reader.readTruncated(UInt16.self))
                case 32: UInt64(try reader.readTruncated(UInt32.self))
                case 64: try reader.readTruncated(UInt64.self)
                default: throw InputFault(member: "bits")
                }
            var writer = ByteWriter()
            writer.writeTruncated(value)
            return ["value": .unsigned(value), "bytes": .hexadecimal(writer.bytes)]
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
