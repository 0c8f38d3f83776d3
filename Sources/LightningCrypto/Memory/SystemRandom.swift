import COpenSSL

/// The source of random bytes, a parameter so that tests can fix them. Returns exactly the number of bytes requested.
public typealias RandomSource = @Sendable (_ count: Int) throws(CryptoFault) -> [UInt8]

/// The production random source: OpenSSL's generator, seeded by the operating system.
public enum SystemRandom {
    /// `count` random bytes.
    public static func bytes(_ count: Int) throws(CryptoFault) -> [UInt8] {
        try [UInt8](count: count) { start throws(CryptoFault) in try fill(start, count) }
    }

    static func fill(_ start: UnsafeMutablePointer<UInt8>, _ count: Int) throws(CryptoFault) {
        guard let length = Int32(exactly: count), RAND_priv_bytes(start, length) == 1 else {
            throw .entropyUnavailable
        }
    }
}

extension SecretBytes {
    /// Secret bytes from the system's generator, written in place.
    convenience init(randomCount count: Int) throws(CryptoFault) {
        try self.init(count: count) { start throws(CryptoFault) in try SystemRandom.fill(start, count) }
    }
}
