public import LightningCoding

/// The hash of a chain's genesis block, which identifies the chain.
public struct ChainHash: Hashable, Sendable, CustomStringConvertible {
    /// The length in bytes.
    public static let byteCount = 32
    /// The default chain of a document.
    public static let bitcoin = ChainHash(.bitcoin)

    /// 32 bytes in hash order, the reverse of what block explorers show.
    public let bytes: [UInt8]

    /// The chain of a network.
    public init(_ network: Network) {
        bytes = network.chainHash
    }

    /// Exactly 32 bytes; nil otherwise.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// The network; nil for an unknown chain.
    public var network: Network? { Network.allCases.first { $0.chainHash == bytes } }

    /// 64 hexadecimal digits in lower case.
    public var description: String { Hexadecimal.encode(bytes) }
}

extension ValueCoding<ChainHash> {
    /// `chain_hash`
    static let chain = ValueCoding(
        decode: { bytes throws(ValueFault) in
            guard let chain = ChainHash(try exactly(ChainHash.byteCount, bytes)) else {
                throw .encoding(CodingFault(.truncated, at: 0))
            }
            return chain
        },
        encode: \.bytes)
}

extension ValueCoding<[ChainHash]> {
    /// `...*chain_hash`, at least one
    static let chains = list(
        { reader throws(ValueFault) in
            let bytes = try spelled { () throws(CodingFault) in try reader.read(ChainHash.byteCount) }
            return try ValueCoding<ChainHash>.chain.decode(bytes)
        },
        { chain, writer in writer.write(chain.bytes) })
}
