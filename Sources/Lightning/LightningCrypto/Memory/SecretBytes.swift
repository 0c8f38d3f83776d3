import COpenSSL

/// Secret bytes: wiped when the last reference is released, compared in constant time, never printed.
///
/// A collection, so that it can be passed to every operation of this module without leaving a copy.
public final class SecretBytes: Sendable {
    private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
    private let release: @Sendable (UnsafeMutableBufferPointer<UInt8>) -> Void

    /// The number of bytes.
    public let count: Int

    /// Copies the bytes; the caller must wipe its own copy.
    public convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { start in
            _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).update(fromContentsOf: bytes)
        }
    }

    /// `count` zero bytes, then written by `fill`; wiped when `fill` throws.
    convenience init<Fault>(
        count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Fault) -> Void
    ) throws(Fault) {
        self.init(zeroed: count) { $0.deallocate() }
        try fill(start)
    }

    /// `release` receives the memory after it was wiped.
    init(zeroed count: Int, release: @escaping @Sendable (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        start = .allocate(capacity: count)
        start.initialize(repeating: 0, count: count)
        self.count = count
        self.release = release
    }

    deinit {
        OPENSSL_cleanse(start, count)
        release(UnsafeMutableBufferPointer(start: start, count: count))
    }

    /// Passes the bytes to `body`; the pointer must not escape.
    public func withBytes<Value, Fault>(
        _ body: (UnsafeRawBufferPointer) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Passes the first byte to a C function that knows the length.
    func withPointer<Value>(_ body: (UnsafePointer<UInt8>) -> Value) -> Value {
        body(start)
    }

    /// A copy that is not wiped: for when the secret is disclosed.
    public var copiedBytes: [UInt8] { Array(self) }
}

extension SecretBytes: RandomAccessCollection {
    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of bytes.
    public var endIndex: Int { count }

    /// The byte at a position.
    public subscript(position: Int) -> UInt8 {
        UnsafeBufferPointer(start: start, count: count)[position]
    }

    /// Passes the bytes, which are contiguous.
    public func withContiguousStorageIfAvailable<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
    ) rethrows -> Value? {
        try body(UnsafeBufferPointer(start: start, count: count))
    }
}

extension SecretBytes: Equatable {
    /// Constant time.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        ConstantTime.equal(one, other)
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder that hides the bytes.
    public var description: String { "<secret>" }

    /// The same.
    public var debugDescription: String { description }

    /// Shows nothing to reflection (`dump`, failed expectations).
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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

extension Collection where Element == UInt8 {
    /// Passes the bytes as one region of memory; a non-contiguous collection is copied, and the copy wiped.
    ///
    /// Always inlined, so that the body's result type is known statically: looking it up at run time costs more than a
    /// short hash.
    @inline(__always)
    func withContiguousBytes<Value, Fault>(
        _ body: (UnsafeRawBufferPointer) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        let lent: Result<Value, Fault>? = withContiguousStorageIfAvailable { storage in
            Result { () throws(Fault) in try body(UnsafeRawBufferPointer(storage)) }
        }
        if let lent { return try lent.get() }
        return try SecretBytes(self).withBytes(body)
    }

    /// The same for a fixed-size argument; refuses every other size.
    @inline(__always)
    func withContiguousBytes<Value>(
        exactly expected: Int,
        _ body: (UnsafePointer<UInt8>) throws(CryptoFault) -> Value
    ) throws(CryptoFault) -> Value {
        try withContiguousBytes { bytes throws(CryptoFault) in
            guard bytes.count == expected, let start = bytes.baseAddress else {
                throw .invalidLength(expected: expected, found: bytes.count)
            }
            return try body(start.assumingMemoryBound(to: UInt8.self))
        }
    }
}

extension [UInt8] {
    /// An array of exactly `count` bytes, written once by `fill`.
    init<Fault>(
        count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Fault) -> Void
    ) throws(Fault) {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBufferPointer { buffer throws(Fault) in
            if let start = buffer.baseAddress { try fill(start) }
        }
        self = bytes
    }
}

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
