import LightningCoding

/// An on-chain address to pay if Lightning fails (BOLT 12, `fallback_address`): a witness version and program.
public struct FallbackProgram: Hashable, Sendable {
    /// The witness version.
    public let version: UInt8
    /// The witness program.
    public let program: [UInt8]

    /// A version and program that BIP-141 allows: 0…16 with 2…40 bytes, version 0 with 20 or 32; nil otherwise.
    public init?(version: UInt8, program: [UInt8]) {
        self.init(unchecked: version, program)
        guard isValid else { return nil }
    }

    fileprivate init(unchecked version: UInt8, _ program: [UInt8]) {
        self.version = version
        self.program = program
    }

    /// Readers ignore invalid ones.
    var isValid: Bool {
        switch version {
        case 0: program.count == 20 || program.count == 32
        case 1...16: 2...40 ~= program.count
        default: false
        }
    }
}

extension ValueCoding<[FallbackProgram]> {
    /// `...*fallback_address`
    static let fallbacks = list(
        { reader throws(ValueFault) in
            try spelled { () throws(CodingFault) in
                let version = try reader.readByte()
                let program = try reader.read(Int(reader.readUInt16()))
                return FallbackProgram(unchecked: version, Array(program))
            }
        },
        { fallback, writer in
            writer.write(fallback.version)
            writer.writeUInt16(UInt16(truncatingIfNeeded: fallback.program.count))
            writer.write(fallback.program)
        })
}
