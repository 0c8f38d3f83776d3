import COpenSSL

/// SHA-256 (FIPS 180-4) as a value: a copy is a midstate that can be continued any number of times.
public struct SHA256: Sendable {
    /// The length of a hash in bytes.
    public static let byteCount = 32

    private var state = SHA256_CTX()

    /// Starts an empty hash.
    public init() {
        SHA256_Init(&state)
    }

    /// The midstate after `SHA256(tag) ‖ SHA256(tag)`, from which every hash with this tag starts (BIP-340, "Design").
    public init(taggedWith tag: String) {
        self.init(taggedWith: tag.utf8)
    }

    /// The same for a tag that is not text, such as the nonce tag of BOLT 12's merkle tree.
    public init(taggedWith tag: some Collection<UInt8>) {
        let hash = SHA256.hash(tag)
        self.init()
        update(hash)
        update(hash)
    }

    /// Appends bytes to the input.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        bytes.withContiguousBytes { bytes in
            _ = SHA256_Update(&state, bytes.baseAddress, bytes.count)
        }
    }

    /// The same for an array: for many short pieces the generic call would cost more than the hash.
    public mutating func update(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { SHA256_Update(&state, $0.baseAddress, $0.count) }
    }

    /// The same for a region of memory.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&state, bytes.baseAddress, bytes.count)
    }

    /// The same for a slice of an array.
    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        _ = bytes.withUnsafeBytes { SHA256_Update(&state, $0.baseAddress, $0.count) }
    }

    /// The hash of everything appended so far, 32 bytes. The value itself may be continued.
    public func finalized() -> [UInt8] {
        // Written out, since allocating an array of variable size takes five times as long.
        var hash: [UInt8] = [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ]
        hash.withUnsafeMutableBufferPointer { if let start = $0.baseAddress { finalize(into: start) } }
        return hash
    }

    /// Writes the 32 bytes of the hash to `output`.
    func finalize(into output: UnsafeMutablePointer<UInt8>) {
        var end = self
        SHA256_Final(output, &end.state)
        // It is the hash, which may be a key.
        end.wipe()
    }

    /// The same; `output` has 32 bytes.
    package func finalize(into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == Self.byteCount)
        if let start = output.baseAddress { finalize(into: start.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Wipes a state that depends on a secret.
    mutating func wipe() {
        OPENSSL_cleanse(&state, MemoryLayout<SHA256_CTX>.size)
    }
}

extension SHA256 {
    /// The hash of `bytes`, 32 bytes.
    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalized()
    }

    /// The hash of `first ‖ second`, 32 bytes.
    public static func hash(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(first)
        hash.update(second)
        return hash.finalized()
    }
}
