import LightningCoding
public import LightningCrypto

/// A text encrypted with the payment's preimage (LUD-10): AES-256 in CBC mode, UTF-8 with PKCS #7 padding, keyed with
/// the 32 bytes of the preimage.
public struct EncryptedAction: Hashable, Sendable {
    /// Its description, for people.
    public let description: ActionText
    /// One or more blocks of 16 bytes.
    public let ciphertext: [UInt8]
    /// The initialization vector, 16 bytes.
    public let initializationVector: [UInt8]

    /// The longest ciphertext in base64, in characters.
    public static let maximumCiphertextCount = 4096
    /// The length of the initialization vector, in bytes.
    public static let initializationVectorCount = 16

    private static let blockCount = 16

    /// Creates one from a ciphertext.
    public init(
        description: ActionText,
        ciphertext: [UInt8],
        initializationVector: [UInt8]
    ) throws(SuccessActionFault) {
        guard ciphertext.count <= Self.maximumCiphertextCount / 4 * 3 else { throw .ciphertextTooLong }
        guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: Self.blockCount) else {
            throw .ciphertextNotWholeBlocks
        }
        guard initializationVector.count == Self.initializationVectorCount else { throw .initializationVector }
        self.description = description
        self.ciphertext = ciphertext
        self.initializationVector = initializationVector
    }

    /// Encrypts a text of at most 3071 bytes of UTF-8: padding adds at least one.
    ///
    /// - Parameters:
    ///   - secret: the text to encrypt.
    ///   - description: what the wallet shows beside it.
    ///   - preimage: that of the action's invoice.
    ///   - initializationVector: 16 random bytes, used only once.
    public static func seal(
        _ secret: String,
        description: ActionText,
        preimage: Preimage,
        initializationVector: [UInt8]
    ) throws(SuccessActionFault) -> EncryptedAction {
        guard initializationVector.count == initializationVectorCount else { throw .initializationVector }
        let ciphertext = try rethrowing(
            AES256CBC.encrypt(secret.utf8, key: preimage.secret, iv: initializationVector),
            as: SuccessActionFault.cipherUnavailable)
        return try EncryptedAction(
            description: description,
            ciphertext: ciphertext,
            initializationVector: initializationVector
        )
    }

    /// Decrypts the text.
    ///
    /// Only the padding reveals a wrong preimage; it may be right by chance, and the text is then most likely not
    /// UTF-8. Compare the preimage with the invoice's payment hash first.
    public func open(with preimage: Preimage) throws(SuccessActionFault) -> String {
        let bytes: [UInt8]
        do {
            bytes = try AES256CBC.decrypt(ciphertext, key: preimage.secret, iv: initializationVector)
        } catch {
            throw error == .cipherUnavailable ? .cipherUnavailable : .wrongPreimage
        }
        guard let secret = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return secret
    }
}
