import LightningCrypto

enum PaymentHashes {
    /// The hash of a preimage that no node has.
    static func nothing() throws -> PaymentHash {
        try Preimage([UInt8](repeating: 0, count: 32)).paymentHash
    }
}
