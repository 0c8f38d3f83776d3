/// An on-chain address to pay if Lightning fails (BOLT 11, `f`).
public struct FallbackAddress: Hashable, Sendable {
    /// The kind of an address.
    public enum Kind: Hashable, Sendable {
        /// A witness program (BIP-141): 2…40 bytes; for version 0, 20 or 32.
        case witnessProgram(version: UInt8)
        /// The HASH160 of a public key, 20 bytes.
        case publicKeyHash
        /// The HASH160 of a script, 20 bytes.
        case scriptHash
    }

    /// What `bytes` represents.
    public let kind: Kind
    /// The witness program or the hash.
    public let bytes: [UInt8]

    /// Throws `invalidFallbackAddress` unless `bytes` has a length that the kind allows.
    public init(_ kind: Kind, _ bytes: [UInt8]) throws(Bolt11Fault) {
        let isValid =
            switch kind {
            case .witnessProgram(version: 0): bytes.count == 20 || bytes.count == 32
            case .witnessProgram(version: 1...16): 2...40 ~= bytes.count
            case .witnessProgram: false
            case .publicKeyHash, .scriptHash: bytes.count == 20
            }
        guard isValid else { throw .invalidFallbackAddress }
        self.kind = kind
        self.bytes = bytes
    }
}

extension FallbackAddress.Kind {
    /// The kind for a five-bit version; nil for one that readers skip.
    init?(version: UInt8) {
        switch version {
        case 0...16: self = .witnessProgram(version: version)
        case 17: self = .publicKeyHash
        case 18: self = .scriptHash
        default: return nil
        }
    }

    /// The five-bit version in the field: a witness version, 17 or 18.
    public var version: UInt8 {
        switch self {
        case .witnessProgram(let version): version
        case .publicKeyHash: 17
        case .scriptHash: 18
        }
    }
}
