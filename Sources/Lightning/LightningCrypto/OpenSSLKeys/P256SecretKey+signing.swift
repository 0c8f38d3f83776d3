import COpenSSL

extension P256SecretKey {
    /// The ECDSA signature over SHA-256 of the message: r and s of 32 bytes each, as in ES256 (RFC 7518, section 3.4).
    ///
    /// The nonce follows from key and message (RFC 6979), so that equal services make equal tokens; OpenSSL 3.0 can
    /// only draw it.
    public func sign(_ message: some Collection<UInt8>) throws(CryptoFault) -> [UInt8] {
        let hash = SHA256.hash(message)
        guard let digest = Self.reduced(hash) else { throw .cipherUnavailable }
        var nonces = NonceSource(key: scalar, digest: digest)
        for _ in 0..<64 {
            // A number out of range is not used, as the RFC says.
            guard let nonce = try? P256SecretKey(nonces.next()),
                let r = Self.reduced(Array(nonce.publicKey.point[1...32])), r.contains(where: { $0 != 0 })
            else { continue }
            let s = try proof(of: digest, r, nonce: nonce)
            if s.contains(where: { $0 != 0 }) { return r + s }
        }
        throw .cipherUnavailable
    }

    /// A public number of 32 bytes modulo the order.
    private static func reduced(_ bytes: [UInt8]) -> [UInt8]? {
        guard let work = BN_CTX_new() else { return nil }
        defer { BN_CTX_free(work) }
        BN_CTX_start(work)
        defer { BN_CTX_end(work) }
        let (number, order) = (BN_CTX_get(work), BN_CTX_get(work))
        guard BN_bin2bn(bytes, 32, number) != nil, BN_bin2bn(Self.order, 32, order) != nil,
            BN_nnmod(number, number, order, work) == 1
        else { return nil }
        return [UInt8](count: 32) { BN_bn2binpad(number, $0, 32) }
    }

    /// (digest + r · key) / nonce. Each of the two is multiplied by a random number, so that the time tells nothing.
    private func proof(of digest: [UInt8], _ r: [UInt8], nonce: P256SecretKey) throws(CryptoFault) -> [UInt8] {
        let blind = try P256SecretKey(random: SystemRandom.bytes)
        // Its numbers are wiped when it is freed.
        guard let work = BN_CTX_secure_new() else { throw .cipherUnavailable }
        defer { BN_CTX_free(work) }
        BN_CTX_start(work)
        defer { BN_CTX_end(work) }
        func number(_ bytes: some Collection<UInt8>) -> OpaquePointer? {
            let number = BN_CTX_get(work)
            _ = SecretBytes(bytes).withPointer { BN_bin2bn($0, 32, number) }
            return number
        }
        let (order, factor) = (number(Self.order), number(blind.scalar))
        let (sum, product, divisor) = (number(digest), number(scalar), number(nonce.scalar))
        guard let last = number(r),
            BN_mod_mul(product, product, factor, order, work) == 1,
            BN_mod_mul(product, product, last, order, work) == 1,
            BN_mod_mul(sum, sum, factor, order, work) == 1, BN_mod_add(sum, sum, product, order, work) == 1,
            BN_mod_mul(divisor, divisor, factor, order, work) == 1,
            BN_mod_inverse(divisor, divisor, order, work) != nil,
            BN_mod_mul(sum, sum, divisor, order, work) == 1
        else { throw .cipherUnavailable }
        return [UInt8](count: 32) { BN_bn2binpad(sum, $0, 32) }
    }
}

/// Nonces of RFC 6979, section 3.2.
private struct NonceSource {
    private var key = SecretBytes([UInt8](repeating: 0x00, count: SHA256.byteCount))
    private var value = SecretBytes([UInt8](repeating: 0x01, count: SHA256.byteCount))

    init(key scalar: SecretBytes, digest: [UInt8]) {
        let seed = SecretBytes(Array(scalar) + digest)
        advance(0x00, seed)
        advance(0x01, seed)
    }

    private mutating func advance(_ mark: UInt8, _ seed: SecretBytes) {
        key = HMACSHA256.deriveSecret(from: SecretBytes(Array(value) + [mark] + Array(seed)), key: key)
        value = HMACSHA256.deriveSecret(from: value, key: key)
    }

    mutating func next() -> SecretBytes {
        value = HMACSHA256.deriveSecret(from: value, key: key)
        defer { advance(0x00, SecretBytes([])) }
        return value
    }
}
