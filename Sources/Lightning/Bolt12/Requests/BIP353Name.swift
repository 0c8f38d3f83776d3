import LightningCoding

/// The human-readable name that a payer resolved to an offer (BOLT 12, `invreq_bip_353_name`; BIP-353).
public struct BIP353Name: Hashable, Sendable, CustomStringConvertible {
    /// The part between `₿` and `@`, as received.
    public let nameBytes: [UInt8]
    /// The part after `@`, as received.
    public let domainBytes: [UInt8]

    /// `alice@example.com`, with or without a leading `₿`. Throws `invalidBIP353Name` for any other form, a character
    /// outside `0-9 a-z A-Z - _ .`, or a part of more than 255 bytes.
    public init(_ text: some StringProtocol) throws(InvoiceRequestFault) {
        let parts = text.drop { $0 == "₿" }.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ 1...255 ~= $0.utf8.count }) else { throw .invalidBIP353Name }
        self.init(nameBytes: Array(parts[0].utf8), domainBytes: Array(parts[1].utf8))
        guard isValid else { throw .invalidBIP353Name }
    }

    fileprivate init(nameBytes: [UInt8], domainBytes: [UInt8]) {
        self.nameBytes = nameBytes
        self.domainBytes = domainBytes
    }

    /// Only ASCII digits and letters, `-`, `_` and `.`.
    public var isValid: Bool { (nameBytes + domainBytes).allSatisfy(Self.isAllowed) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "a"..."z", "A"..."Z", "-", "_", ".": true
        default: false
        }
    }

    /// `name@domain`
    public var description: String {
        String(decoding: nameBytes, as: UTF8.self) + "@" + String(decoding: domainBytes, as: UTF8.self)
    }
}

extension ValueCoding<BIP353Name> {
    /// `u8` `name` `u8` `domain`
    static let bip353Name = ValueCoding(
        decode: { bytes throws(ValueFault) in
            try spelled { () throws(CodingFault) in
                var reader = ByteReader(bytes)
                let name = try reader.read(Int(reader.readByte()))
                let domain = try reader.read(Int(reader.readByte()))
                try reader.requireEnd()
                return BIP353Name(nameBytes: Array(name), domainBytes: Array(domain))
            }
        },
        encode: { name in
            var writer = ByteWriter()
            for part in [name.nameBytes, name.domainBytes] {
                writer.write(UInt8(truncatingIfNeeded: part.count))
                writer.write(part)
            }
            return writer.bytes
        })
}
