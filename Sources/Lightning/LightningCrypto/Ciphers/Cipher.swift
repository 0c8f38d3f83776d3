import COpenSSL

/// An OpenSSL cipher, fetched once: fetching costs more than encrypting a short text.
struct Cipher: @unchecked Sendable {
    /// Nil when OpenSSL does not provide it. Never freed, and not changed by use.
    private let method: OpaquePointer?
    /// The lengths in bytes of the key, and of the nonce or initialization vector.
    let keyCount: Int
    let nonceCount: Int
    /// The longest accepted nonce in bytes, beyond the usual one.
    let longestNonce: Int

    init(_ name: String, keyCount: Int, nonceCount: Int, longestNonce: Int? = nil) {
        method = EVP_CIPHER_fetch(nil, name, nil)
        self.keyCount = keyCount
        self.nonceCount = nonceCount
        self.longestNonce = longestNonce ?? nonceCount
    }

    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    /// Sets up one run of the cipher and passes it to `body`.
    func run<Value>(
        _ direction: Direction, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        _ body: (borrowing CipherRun) throws(CryptoFault) -> Value
    ) throws(CryptoFault) -> Value {
        try key.withContiguousBytes(exactly: keyCount) { key throws(CryptoFault) in
            try nonce.withContiguousBytes { bytes throws(CryptoFault) in
                guard (nonceCount...longestNonce).contains(bytes.count), let nonce = bytes.baseAddress else {
                    throw .invalidLength(expected: nonceCount, found: bytes.count)
                }
                let run = CipherRun()
                guard let method,
                    run.begin(method, direction, nonceCount: bytes.count == nonceCount ? nil : bytes.count),
                    EVP_CipherInit_ex2(
                        run.context, nil, key, nonce.assumingMemoryBound(to: UInt8.self), direction.rawValue, nil) == 1
                else { throw .cipherUnavailable }
                return try body(run)
            }
        }
    }
}

/// One pass of a text through a cipher. Its state, which holds the key, is wiped at the end.
struct CipherRun: ~Copyable {
    fileprivate let context = EVP_CIPHER_CTX_new()

    deinit {
        EVP_CIPHER_CTX_free(context)
    }

    /// Sets the cipher, and the nonce length when it is not the usual one.
    fileprivate func begin(_ method: OpaquePointer, _ direction: Cipher.Direction, nonceCount: Int?) -> Bool {
        guard EVP_CipherInit_ex2(context, method, nil, nil, direction.rawValue, nil) == 1 else { return false }
        guard let nonceCount else { return true }
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonceCount), nil) == 1
    }

    /// Adds `bytes` to the tag without encrypting them.
    func authenticate(_ bytes: some Collection<UInt8>) throws(CryptoFault) {
        try bytes.withContiguousBytes { bytes throws(CryptoFault) in
            _ = try update(nil, bytes)
        }
    }

    /// Transforms the bytes, including padding.
    ///
    /// Throws `fault` when the cipher refuses the text at its end; partial output is wiped.
    func transform(
        _ bytes: some Collection<UInt8>, roomForPadding: Int = 0, orThrow fault: CryptoFault
    ) throws(CryptoFault) -> [UInt8] {
        try bytes.withContiguousBytes { bytes throws(CryptoFault) in
            var output = [UInt8](repeating: 0, count: bytes.count + roomForPadding)
            let written = try output.withUnsafeMutableBufferPointer { output throws(CryptoFault) in
                let written = try update(output.baseAddress, bytes)
                var last: Int32 = 0
                guard EVP_CipherFinal_ex(context, output.baseAddress.map { $0 + written }, &last) == 1 else {
                    OPENSSL_cleanse(output.baseAddress, output.count)
                    throw fault
                }
                return written + Int(last)
            }
            output.removeLast(output.count - written)
            return output
        }
    }

    private func update(
        _ output: UnsafeMutablePointer<UInt8>?, _ input: UnsafeRawBufferPointer
    ) throws(CryptoFault) -> Int {
        guard let start = input.baseAddress, !input.isEmpty else { return 0 }
        guard let count = Int32(exactly: input.count) else {
            throw .invalidLength(expected: Int(Int32.max), found: input.count)
        }
        var written: Int32 = 0
        guard EVP_CipherUpdate(context, output, &written, start.assumingMemoryBound(to: UInt8.self), count) == 1 else {
            throw .cipherUnavailable
        }
        return Int(written)
    }
}

extension CipherRun {
    /// The length of the tags of both authenticated ciphers in bytes.
    static let tagCount = 16

    /// The tag after sealing.
    func tag() throws(CryptoFault) -> [UInt8] {
        try [UInt8](count: Self.tagCount) { tag throws(CryptoFault) in
            guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagCount), tag) == 1 else {
                throw .cipherUnavailable
            }
        }
    }

    /// Sets the expected tag for opening. Any length but 16 bytes is a wrong tag.
    func expect(tag: some Collection<UInt8>) throws(CryptoFault) {
        var copy = Array(tag)
        guard copy.count == Self.tagCount,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagCount), &copy) == 1
        else { throw .authenticationFailed }
    }
}

/// The stream cipher ChaCha20 (RFC 8439 §2.4): key of 32 bytes, nonce of 12, a block counter of 32 bits.
public enum ChaCha20 {
    private static let cipher = Cipher("ChaCha20", keyCount: 32, nonceCount: 16)
    private static let nonceCount = 12

    /// The first `count` bytes of the stream, starting at block `counter`.
    public static func keystream(
        key: some Collection<UInt8>, nonce: some Collection<UInt8>, counter: UInt32 = 0, count: Int
    ) throws(CryptoFault) -> [UInt8] {
        guard count >= 0 else { throw .invalidLength(expected: 0, found: count) }
        return try xor([UInt8](repeating: 0, count: count), key: key, nonce: nonce, counter: counter)
    }

    /// The bytes XORed with the stream: both encryption and decryption.
    public static func xor(
        _ bytes: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        counter: UInt32 = 0
    ) throws(CryptoFault) -> [UInt8] {
        guard nonce.count == nonceCount else { throw .invalidLength(expected: nonceCount, found: nonce.count) }
        // OpenSSL takes the counter, little-endian, as the first four bytes of its initialization vector.
        let vector = withUnsafeBytes(of: counter.littleEndian) { Array($0) } + nonce
        return try cipher.run(.seal, key: key, nonce: vector) { run throws(CryptoFault) in
            try run.transform(bytes, orThrow: .cipherUnavailable)
        }
    }
}

/// The authenticated cipher ChaCha20-Poly1305 (RFC 8439 §2.8): key of 32 bytes, nonce of 12, tag of 16.
public enum ChaCha20Poly1305 {
    /// By how many bytes the ciphertext is longer than the plaintext.
    public static let tagCount = CipherRun.tagCount

    private static let cipher = Cipher("ChaCha20-Poly1305", keyCount: 32, nonceCount: 12)

    /// The ciphertext followed by its tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        associatedData: some Collection<UInt8> = EmptyCollection()
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.seal, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.authenticate(associatedData)
            return try run.transform(plaintext, orThrow: .cipherUnavailable) + run.tag()
        }
    }

    /// The plaintext of a ciphertext followed by its tag. Throws `authenticationFailed`.
    public static func open(
        _ sealed: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        associatedData: some Collection<UInt8> = EmptyCollection()
    ) throws(CryptoFault) -> [UInt8] {
        guard sealed.count >= tagCount else { throw .authenticationFailed }
        return try cipher.run(.open, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.expect(tag: sealed.suffix(tagCount))
            try run.authenticate(associatedData)
            return try run.transform(sealed.dropLast(tagCount), orThrow: .authenticationFailed)
        }
    }
}

/// The authenticated cipher AES-128-GCM (NIST SP 800-38D): key of 16 bytes, nonce of 12, tag of 16. For Web Push
/// (RFC 8188).
public enum AES128GCM {
    private static let cipher = Cipher("AES-128-GCM", keyCount: 16, nonceCount: 12)

    /// The ciphertext, as long as the plaintext, and its tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>
    ) throws(CryptoFault) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try cipher.run(.seal, key: key, nonce: nonce) { run throws(CryptoFault) in
            let ciphertext = try run.transform(plaintext, orThrow: .cipherUnavailable)
            return (ciphertext, try run.tag())
        }
    }

    /// The plaintext. Throws `authenticationFailed`.
    public static func open(
        _ ciphertext: some Collection<UInt8>, tag: some Collection<UInt8>, key: some Collection<UInt8>,
        nonce: some Collection<UInt8>
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.open, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.expect(tag: tag)
            return try run.transform(ciphertext, orThrow: .authenticationFailed)
        }
    }
}

/// AES-256 in CBC mode with PKCS#7 padding, as in LUD-10: key of 32 bytes, initialization vector of 16.
///
/// It is not authenticated: a wrong key usually gives `invalidPadding`, but about one time in 256 a wrong plaintext.
public enum AES256CBC {
    private static let blockCount = 16
    private static let cipher = Cipher("AES-256-CBC", keyCount: 32, nonceCount: blockCount)

    /// The ciphertext: the plaintext and 1 to 16 bytes of padding.
    public static func encrypt(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, iv: some Collection<UInt8>
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.seal, key: key, nonce: iv) { run throws(CryptoFault) in
            try run.transform(plaintext, roomForPadding: blockCount, orThrow: .cipherUnavailable)
        }
    }

    /// The plaintext. Throws `invalidPadding`, also when the ciphertext is not one or more whole blocks.
    public static func decrypt(
        _ ciphertext: some Collection<UInt8>, key: some Collection<UInt8>, iv: some Collection<UInt8>
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.open, key: key, nonce: iv) { run throws(CryptoFault) in
            try run.transform(ciphertext, roomForPadding: blockCount, orThrow: .invalidPadding)
        }
    }
}

/// The authenticated cipher AES-256-GCM (NIST SP 800-38D): key of 32 bytes, nonce of 12, tag of 16.
///
/// Nonces of up to 16 bytes are accepted too, since some senders use them; GCM hashes those first.
public enum AES256GCM {
    private static let cipher = Cipher("AES-256-GCM", keyCount: 32, nonceCount: 12, longestNonce: 16)

    /// The ciphertext, as long as the plaintext, and its tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        associatedData: some Collection<UInt8> = EmptyCollection()
    ) throws(CryptoFault) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try cipher.run(.seal, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.authenticate(associatedData)
            let ciphertext = try run.transform(plaintext, orThrow: .cipherUnavailable)
            return (ciphertext, try run.tag())
        }
    }

    /// The plaintext. Throws `authenticationFailed`.
    public static func open(
        _ ciphertext: some Collection<UInt8>, tag: some Collection<UInt8>, key: some Collection<UInt8>,
        nonce: some Collection<UInt8>, associatedData: some Collection<UInt8> = EmptyCollection()
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.open, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.expect(tag: tag)
            try run.authenticate(associatedData)
            return try run.transform(ciphertext, orThrow: .authenticationFailed)
        }
    }
}
