import COpenSSL

/// Secret bytes: wiped when the last reference goes, compared in constant time, never printed.
///
/// It is a collection, so that it can be given to every operation of this module without leaving a copy behind.
public final class SecretBytes: Sendable {
    private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
    private let release: @Sendable (UnsafeMutableBufferPointer<UInt8>) -> Void

    /// The number of bytes.
    public let count: Int

    /// Copies the bytes; the caller's own copy stays the caller's to wipe.
    public convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { start in
            _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).update(fromContentsOf: bytes)
        }
    }

    /// `count` bytes, zero at first and then written by `fill`; what a failing `fill` leaves is wiped.
    convenience init<Fault>(
        count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Fault) -> Void
    ) throws(Fault) {
        self.init(zeroed: count) { $0.deallocate() }
        try fill(start)
    }

    /// `release` takes the memory over after it was wiped.
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

    /// Lends the bytes; the pointer must not leave `body`.
    public func withBytes<Value, Fault>(
        _ body: (UnsafeRawBufferPointer) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Lends the first byte to a C function that knows how many follow.
    func withPointer<Value>(_ body: (UnsafePointer<UInt8>) -> Value) -> Value {
        body(start)
    }

    /// A copy, which nothing wipes: for the moment in which a secret is given away.
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

    /// Lends the bytes as the one region that they are.
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
    /// Says that something is hidden, not what.
    public var description: String { "<secret>" }

    /// The same.
    public var debugDescription: String { description }

    /// Shows nothing to reflection (`dump`, failed expectations).
    public var customMirror: Mirror { Mirror(self, children: []) }
}
