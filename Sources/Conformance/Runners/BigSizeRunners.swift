import LightningCoding

/// Decodes a bigsize that fills the input.
struct BigSizeDecodeRunner: VectorRunner {
    static let standard = "bigsize"
    static let subject = "decode"

    func run(_ input: VectorInput) throws -> JSONObject {
        var reader = ByteReader(try input.bytes("bytes"))
        let value = try reader.readBigSize()
        try reader.requireEnd()
        return ["value": .unsigned(value)]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? CodingFault)?.rule
    }
}

/// Encodes a bigsize.
struct BigSizeEncodeRunner: VectorRunner {
    static let standard = "bigsize"
    static let subject = "encode"

    func run(_ input: VectorInput) throws -> JSONObject {
        var writer = ByteWriter()
        writer.writeBigSize(try input.unsigned("value"))
        return ["bytes": .string(Hexadecimal.encode(writer.bytes))]
    }

    func rule(of fault: any Error) -> String? {
        nil
    }
}
