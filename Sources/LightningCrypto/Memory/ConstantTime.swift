import COpenSSL

/// Comparison in time independent of where two secrets differ.
public enum ConstantTime {
    /// Whether both have the same bytes. The time taken reveals only the lengths.
    public static func equal(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        one.withContiguousBytes { one in
            other.withContiguousBytes { other in
                let count = one.count
                guard count == other.count else { return false }
                guard let one = one.baseAddress, let other = other.baseAddress else { return true }
                return CRYPTO_memcmp(one, other, count) == 0
            }
        }
    }
}
