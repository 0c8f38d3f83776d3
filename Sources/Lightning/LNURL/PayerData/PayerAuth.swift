public import LightningCoding
public import LightningCrypto

/// A payer's signature over a service's challenge (LUD-04 inside LUD-18). Always valid; an invalid one cannot be
/// represented.
public struct PayerAuth: Hashable, Sendable {
    /// The payer's key for this service.
    public let key: PublicKey
    /// The signed challenge: its 32 bytes, not hashed.
    public let k1: Challenge
    /// ECDSA; written in DER.
    public let signature: ECDSASignature

    /// Answers a challenge.
    public init(answering k1: Challenge, with secretKey: SecretKey) throws(CryptoFault) {
        self.k1 = k1
        key = secretKey.publicKey
        signature = try secretKey.ecdsaSignature(of: k1.bytes)
    }

    /// The `auth` member: key, challenge and signature in hexadecimal.
    public var json: JSONValue {
        [
            "key": .string(key.hexadecimal),
            "k1": .string(k1.hexadecimal),
            "sig": .string(Hexadecimal.encode(signature.der)),
        ]
    }

    /// Parses the `auth` member and checks the signature.
    init(json: JSONValue) throws(PayerDataFault) {
        do {
            key = try PublicKey(hexadecimal: json["key"]?.string ?? "")
            k1 = try Challenge(hexadecimal: json["k1"]?.string ?? "")
            signature = try ECDSASignature(der: Hexadecimal.decode(json["sig"]?.string ?? ""))
        } catch {
            throw .malformed(.auth)
        }
        guard key.verifies(signature, of: k1.bytes) else { throw .badSignature }
    }
}
