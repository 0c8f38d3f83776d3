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
