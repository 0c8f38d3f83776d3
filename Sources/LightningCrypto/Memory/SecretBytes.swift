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
