import LightningCoding

extension VectorRunner {
    static let bigSize = [
        // Decodes a bigsize that fills the input.
        VectorRunner("bigsize", "decode") { input in
            var reader = ByteReader(try input.bytes("bytes"))
            let value = try reader.readBigSize()
            try reader.requireEnd()
            return ["value": .unsigned(value)]
        },
        // Encodes a bigsize.
        VectorRunner("bigsize", "encode") { input in
            var writer = ByteWriter()
            writer.writeBigSize(try input.unsigned("value"))
            return ["bytes": .string(Hexadecimal.encode(writer.bytes))]
        },
    ]
}
