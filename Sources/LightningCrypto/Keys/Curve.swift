import CSecp256k1

/// secp256k1 through libsecp256k1.
enum Curve {
    /// The length of a compressed point in bytes.
    static let pointCount = 33
    /// The length of a scalar, a coordinate or a message hash in bytes.
    static let scalarCount = 32
    /// The length of a compact ECDSA or BIP-340 signature in bytes.
    static let signatureCount = 64

    /// The shared context. It is never changed after its creation, which makes it safe to share between threads.
    nonisolated(unsafe) static let context: OpaquePointer = makeContext()

    private static func makeContext() -> OpaquePointer {
        let flags = UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY)
        let context: OpaquePointer = secp256k1_context_create(flags)
        // The default callback aborts the process; without it the call returns 0, which every caller here checks.
        secp256k1_context_set_illegal_callback(context, { _, _ in }, nil)
        // Blinding protects against side channels and does not change results; without entropy the context is still
        // correct.
        if let seed = try? SecretBytes(randomCount: scalarCount) {
            seed.withPointer { _ = secp256k1_context_randomize(context, $0) }
        }
        return context
    }
}
