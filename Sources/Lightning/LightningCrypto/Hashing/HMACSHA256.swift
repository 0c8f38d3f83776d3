import COpenSSL

/// HMAC with SHA-256 (RFC 2104, RFC 4231).
public enum HMACSHA256 {
    /// The authentication code of `message` under `key`, 32 bytes.
    public static func authenticate(
        _ message: some Collection<UInt8>, key: some Collection<UInt8>
    ) -> [UInt8] {
        Keyed(key).authenticate(message)
    }

    /// The same, for a code that is itself a key: wiped when released.
    public static func deriveSecret(
        from message: some Collection<UInt8>, key: some Collection<UInt8>
    ) -> SecretBytes {
        Keyed(key).deriveSecret(from: message)
    }
}

extension HMACSHA256 {
    /// A key for repeated use: the two blocks that depend only on it are hashed once.
    public struct Keyed: Sendable {
        private let midstates: Midstates

        /// Any length; a key above 64 bytes is hashed first (RFC 2104).
        public init(_ key: some Collection<UInt8>) {
            midstates = Midstates(key: key)
        }

        /// The authentication code of `first ‖ second`, 32 bytes.
        public func authenticate(
            _ first: some Collection<UInt8>, _ second: some Collection<UInt8> = [UInt8]()
        ) -> [UInt8] {
            [UInt8](count: SHA256.byteCount) { midstates.authenticate(first, second, into: $0) }
        }

        /// The authentication code of `first ‖ second` as a key.
        public func deriveSecret(
            from first: some Collection<UInt8>, _ second: some Collection<UInt8> = [UInt8]()
        ) -> SecretBytes {
            SecretBytes(count: SHA256.byteCount) { midstates.authenticate(first, second, into: $0) }
        }

        /// Whether `code` authenticates `message`; constant time.
        public func isValid(_ code: some Collection<UInt8>, for message: some Collection<UInt8>) -> Bool {
            ConstantTime.equal(authenticate(message), code)
        }
    }
}

/// The hashes of the inner and outer key blocks. They are as sensitive as the key, so they are wiped too.
private final class Midstates: @unchecked Sendable {
    private static let blockCount = 64

    private var inner = SHA256()
    private var outer = SHA256()

    init(key: some Collection<UInt8>) {
        withUnsafeTemporaryAllocation(byteCount: Self.blockCount, alignment: 1) { block in
            block.initializeMemory(as: UInt8.self, repeating: 0)
            if key.count > Self.blockCount {
                block.copyBytes(from: SHA256.hash(key))
            } else {
                block.copyBytes(from: key)
            }
            for index in block.indices { block[index] ^= 0x36 }
            inner.update(block)
            for index in block.indices { block[index] ^= 0x36 ^ 0x5C }
            outer.update(block)
            OPENSSL_cleanse(block.baseAddress, block.count)
        }
    }

    deinit {
        inner.wipe()
        outer.wipe()
    }

    func authenticate(
        _ first: some Collection<UInt8>, _ second: some Collection<UInt8>, into output: UnsafeMutablePointer<UInt8>
    ) {
        var hash = inner
        hash.update(first)
        hash.update(second)
        hash.finalize(into: output)
        hash = outer
        hash.update(UnsafeRawBufferPointer(start: output, count: SHA256.byteCount))
        hash.finalize(into: output)
        hash.wipe()
    }
}

/// Key derivation with HMAC-SHA256 (RFC 5869).
public enum HKDF {
    /// `count` bytes, derived from `secret`.
    ///
    /// - Parameters:
    ///   - secret: the input keying material.
    ///   - salt: any length.
    ///   - info: what the result is for.
    ///   - count: 0 to 8160 bytes. Throws `invalidLength`.
    public static func derive(
        from secret: some Collection<UInt8>, salt: some Collection<UInt8>, info: some Collection<UInt8>, count: Int
    ) throws(CryptoFault) -> SecretBytes {
        let maximum = 255 * SHA256.byteCount
        guard (0...maximum).contains(count) else { throw .invalidLength(expected: maximum, found: count) }
        let key = HMACSHA256.Keyed(HMACSHA256.deriveSecret(from: secret, key: salt))
        let info = Array(info)
        return SecretBytes(count: count) { output in
            var block = SecretBytes([])
            var written = 0
            var number: UInt8 = 1
            while written < count {
                block = key.deriveSecret(from: block, info + [number])
                let piece = min(block.count, count - written)
                block.withPointer { (output + written).update(from: $0, count: piece) }
                written += piece
                number &+= 1
            }
        }
    }
}
