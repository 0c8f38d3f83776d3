import LightningCoding

/// Messages signed by a node with the `signmessage` of Core Lightning or LND: zbase32 over 65 bytes, namely 31 +
/// recovery id followed by r ‖ s, over the double SHA-256 of "Lightning Signed Message:" ‖ message.
public enum LightningMessage {
    private static let prefix = "Lightning Signed Message:"
    /// Compact signatures count their ids from 27, or from 31 for a compressed key.
    private static let firstHeader: UInt8 = 31
    private static let midstate: SHA256 = {
        var hash = SHA256()
        hash.update(prefix.utf8)
        return hash
    }()

    /// Signs a text, as UTF-8.
    public static func sign(_ message: String, with key: SecretKey) throws(CryptoFault) -> String {
        let signature = try key.recoverableSignature(of: hash(message))
        return ZBase32.encode([firstHeader + signature.recoveryID] + signature.compact)
    }

    /// The key that signed a text. Throws `invalidSignature`.
    ///
    /// Every well-formed signature yields some key: compare it with a known key before accepting the signature.
    public static func recover(_ signature: String, message: String) throws(CryptoFault) -> PublicKey {
        guard let bytes = try? ZBase32.decode(signature), bytes.count == 1 + Curve.signatureCount,
            bytes[0] >= firstHeader
        else { throw .invalidSignature }
        return try RecoverableSignature(compact: bytes.dropFirst(), recoveryID: bytes[0] - firstHeader)
            .recoveredPublicKey(of: hash(message))
    }

    /// Whether `signature` is that of `publicKey` over a text.
    public static func verifies(_ signature: String, message: String, by publicKey: PublicKey) -> Bool {
        (try? recover(signature, message: message)) == publicKey
    }

    private static func hash(_ message: String) -> [UInt8] {
        var hash = midstate
        hash.update(message.utf8)
        return SHA256.hash(hash.finalized())
    }
}
