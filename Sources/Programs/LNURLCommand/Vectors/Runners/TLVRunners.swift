import LightningCoding

extension VectorRunner {
    static let tlv = [
        // Parses a TLV stream: type and value of every record, and the stream encoded again.
        VectorRunner("tlv", "parse") { input in
            let stream = try TLVStream(parsing: input.bytes("stream"))
            let rewritten = try TLVStream(stream.records.map { TLVRecord(type: $0.type, value: $0.value) })
            return [
                "records": .array(
                    stream.records.map { record in
                        ["type": .unsigned(record.type), "value": .string(Hexadecimal.encode(record.value))]
                    }),
                "stream": .string(Hexadecimal.encode(rewritten.bytes)),
            ]
        },
        // Decodes a truncated integer of 16, 32 or 64 bits, and encodes it again.
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
            return ["value": .unsigned(value), "bytes": .string(Hexadecimal.encode(writer.bytes))]
        },
    ]
}
