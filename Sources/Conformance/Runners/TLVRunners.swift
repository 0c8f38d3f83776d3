import LightningCoding

/// Parses a TLV stream: type and value of every record, and the stream encoded again.
struct TLVStreamRunner: VectorRunner {
    static let standard = "tlv"
    static let subject = "parse"

    func run(_ input: VectorInput) throws -> JSONObject {
        let stream = try TLVStream(parsing: input.bytes("stream"))
        let rewritten = try TLVStream(stream.records.map { TLVRecord(type: $0.type, value: $0.value) })
        return [
            "records": .array(
                stream.records.map { record in
                    ["type": .unsigned(record.type), "value": .string(Hexadecimal.encode(record.value))]
                }),
            "stream": .string(Hexadecimal.encode(rewritten.bytes)),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? CodingFault)?.rule
    }
}

/// Decodes a truncated integer of 16, 32 or 64 bits, and encodes it again.
struct TruncatedIntegerRunner: VectorRunner {
    static let standard = "tlv"
    static let subject = "truncated-integer"

    func run(_ input: VectorInput) throws -> JSONObject {
        var reader = ByteReader(try input.bytes("bytes"))
        let value =
            switch try input.unsigned("bits") {
            case 16: UInt64(try reader.readTruncated(UInt16.self))
            case 32: UInt64(try reader.readTruncated(UInt32.self))
            case 64: try reader.readTruncated(UInt64.self)
            default: throw VectorInput.Fault(member: "bits")
            }
        var writer = ByteWriter()
        writer.writeTruncated(value)
        return ["value": .unsigned(value), "bytes": .string(Hexadecimal.encode(writer.bytes))]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? CodingFault)?.rule
    }
}
