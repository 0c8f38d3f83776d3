import COpenSSL
import LightningCoding

/// A key of OpenSSL, freed with its last reference. Using it does not change it.
final class OpenSSLKey: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// Reads a private key from PEM: PKCS #8, or the older forms of RSA and EC keys. None of them may be encrypted.
    ///
    /// Throws `invalidSecretKey`.
    static func secret(pem: some Collection<UInt8>) throws(CryptoFault) -> OpenSSLKey {
        try pem.withContiguousBytes { text throws(CryptoFault) in
            guard let length = Int32(exactly: text.count), let source = BIO_new_mem_buf(text.baseAddress, length) else {
                throw .invalidSecretKey
            }
            defer { BIO_free(source) }
            var label: UnsafeMutablePointer<CChar>?
            var header: UnsafeMutablePointer<CChar>?
            var data: UnsafeMutablePointer<UInt8>?
            var count = 0
            guard PEM_read_bio(source, &label, &header, &data, &count) == 1, let data else { throw .invalidSecretKey }
            defer {
                CRYPTO_free(label, nil, 0)
                CRYPTO_free(header, nil, 0)
                CRYPTO_clear_free(data, count, nil, 0)
            }
            let isEncrypted = label.map { String(cString: $0).begins(with: "ENCRYPTED") } ?? true
            guard !isEncrypted, header?.pointee == 0 else { throw .invalidSecretKey }
            return try secret(der: UnsafeBufferPointer(start: data, count: count))
        }
    }

    /// Reads a private key in the form of its algorithm. Throws `invalidSecretKey`.
    static func secret(der: UnsafeBufferPointer<UInt8>) throws(CryptoFault) -> OpenSSLKey {
        var start = der.baseAddress
        guard let pointer = d2i_AutoPrivateKey(nil, &start, der.count) else { throw .invalidSecretKey }
        return OpenSSLKey(pointer)
    }

    /// Reads a public key (SubjectPublicKeyInfo). Throws `invalidPublicKey`.
    static func `public`(der: [UInt8]) throws(CryptoFault) -> OpenSSLKey {
        let pointer = der.withUnsafeBufferPointer { der in
            var start = der.baseAddress
            return d2i_PUBKEY(nil, &start, der.count)
        }
        guard let pointer else { throw .invalidPublicKey }
        return OpenSSLKey(pointer)
    }

    /// The scalar of a private key of P-256. Throws `invalidSecretKey` for every other key.
    func p256Scalar() throws(CryptoFault) -> SecretBytes {
        var name = [CChar](repeating: 0, count: 32)
        var nameCount = 0
        var number: OpaquePointer?
        guard EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC,
            EVP_PKEY_get_group_name(pointer, &name, name.count, &nameCount) == 1,
            name.prefix(nameCount).elementsEqual("prime256v1".utf8CString.dropLast()),
            EVP_PKEY_get_bn_param(pointer, "priv", &number) == 1
        else { throw .invalidSecretKey }
        defer { BN_clear_free(number) }
        return try SecretBytes(count: P256SecretKey.byteCount) { output throws(CryptoFault) in
            guard BN_bn2binpad(number, output, Int32(P256SecretKey.byteCount)) == P256SecretKey.byteCount else {
                throw .invalidSecretKey
            }
        }
    }

    /// The public key (SubjectPublicKeyInfo).
    func publicDER() throws(CryptoFault) -> [UInt8] {
        let count = i2d_PUBKEY(pointer, nil)
        guard count > 0 else { throw .invalidPublicKey }
        return [UInt8](count: Int(count)) { output in
            var next: UnsafeMutablePointer<UInt8>? = output
            i2d_PUBKEY(pointer, &next)
        }
    }

    /// The signature over SHA-256 of the message, in the form of the algorithm.
    func sign(_ message: some Collection<UInt8>) throws(CryptoFault) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) == 1 else { throw .cipherUnavailable }
        var count = Int(EVP_PKEY_get_size(pointer))
        let signature = try message.withContiguousBytes { message throws(CryptoFault) in
            let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return try [UInt8](count: count) { output throws(CryptoFault) in
                guard EVP_DigestSign(context, output, &count, start, message.count) == 1 else {
                    throw .cipherUnavailable
                }
            }
        }
        return Array(signature.prefix(count))
    }

    /// Whether a signature over SHA-256 of the message, in the form of the algorithm, is valid.
    func isValid(_ signature: [UInt8], for message: some Collection<UInt8>) -> Bool {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1 else { return false }
        return message.withContiguousBytes { message in
            let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return EVP_DigestVerify(context, signature, signature.count, start, message.count) == 1
        }
    }
}
