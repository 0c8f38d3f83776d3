import BlindedPaths
import LightningCoding
import LightningCrypto

/// The coding of a record's value: bytes to a Swift value and back.
struct ValueCoding<Value>: Sendable {
    let decode: @Sendable (ArraySlice<UInt8>) throws(ValueFault) -> Value
    let encode: @Sendable (Value) -> [UInt8]
}

extension ValueCoding {
    /// The same coding for another type that every value maps to.
    func map<Other>(
        _ to: @escaping @Sendable (Value) -> Other, _ from: @escaping @Sendable (Other) -> Value
    ) -> ValueCoding<Other> {
        ValueCoding<Other>(
            decode: { bytes throws(ValueFault) in to(try decode(bytes)) },
            encode: { encode(from($0)) })
    }

    /// Consecutive values; at least one, unless the document has its own rule for that.
    static func list<Element>(
        mayBeEmpty: Bool = false, _ read: @escaping @Sendable (inout ByteReader) throws(ValueFault) -> Element,
        _ write: @escaping @Sendable (Element, inout ByteWriter) -> Void
    ) -> ValueCoding<[Element]> where Value == [Element] {
        ValueCoding(
            decode: { bytes throws(ValueFault) in
                guard mayBeEmpty || !bytes.isEmpty else { throw .encoding(CodingFault(.empty, at: 0)) }
                var reader = ByteReader(bytes)
                var elements: [Element] = []
                while !reader.isAtEnd {
                    elements.append(try read(&reader))
                }
                return elements
            },
            encode: { elements in
                var writer = ByteWriter()
                for element in elements { write(element, &writer) }
                return writer.bytes
            })
    }
}

extension ValueCoding<[UInt8]> {
    /// `...*byte`
    static let bytes = ValueCoding(decode: { Array($0) }, encode: { $0 })
}

extension ValueCoding<String> {
    /// `...*utf8`
    static let utf8 = ValueCoding(
        decode: { bytes throws(ValueFault) in try spelled { () throws(CodingFault) in try UTF8Text.string(bytes) } },
        encode: { Array($0.utf8) })
}

extension ValueCoding where Value: FixedWidthInteger & UnsignedInteger & Sendable {
    /// `tu32`, `tu64`
    static var truncated: ValueCoding {
        ValueCoding(
            decode: { bytes throws(ValueFault) in
                try spelled { () throws(CodingFault) in
                    var reader = ByteReader(bytes)
                    return try reader.readTruncated(Value.self)
                }
            },
            encode: { value in
                var writer = ByteWriter()
                writer.writeTruncated(UInt64(value))
                return writer.bytes
            })
    }
}

extension ValueCoding<Millisatoshi> {
    /// `tu64`, in msat
    static let msat = ValueCoding<UInt64>.truncated.map({ Millisatoshi($0) }, \.msat)
}

extension ValueCoding<UnixTime> {
    /// `tu64`, in seconds since 1970
    static let seconds = ValueCoding<UInt64>.truncated.map({ UnixTime($0) }, \.seconds)
}

extension ValueCoding<PublicKey> {
    /// `point`
    static let point = ValueCoding(
        decode: { bytes throws(ValueFault) in
            guard let point = try? PublicKey(try exactly(33, bytes)) else { throw .notAPoint }
            return point
        },
        encode: \.bytes)
}

extension ValueCoding<PaymentHash> {
    /// `sha256`
    static let hash = ValueCoding(
        decode: { bytes throws(ValueFault) in
            let bytes = try exactly(PaymentHash.byteCount, bytes)
            guard let hash = try? PaymentHash(bytes) else { throw .encoding(CodingFault(.truncated, at: 0)) }
            return hash
        },
        encode: \.bytes)
}

extension ValueCoding<SchnorrSignature> {
    /// `bip340sig`
    static let signature = ValueCoding(
        decode: { bytes throws(ValueFault) in
            let bytes = try exactly(SchnorrSignature.byteCount, bytes)
            guard let signature = try? SchnorrSignature(bytes) else { throw .encoding(CodingFault(.truncated, at: 0)) }
            return signature
        },
        encode: \.bytes)
}

/// Converts a coding fault to a value's.
func spelled<Value>(_ body: () throws(CodingFault) -> Value) throws(ValueFault) -> Value {
    try rethrowing(body(), as: ValueFault.encoding)
}

/// A value of fixed length.
func exactly(_ count: Int, _ bytes: ArraySlice<UInt8>) throws(ValueFault) -> ArraySlice<UInt8> {
    guard bytes.count >= count else { throw .encoding(CodingFault(.truncated, at: 0)) }
    guard bytes.count == count else { throw .encoding(CodingFault(.trailingBytes, at: count)) }
    return bytes
}

extension ValueCoding<[BlindedPath]> {
    /// `...*blinded_path`, at least one
    static let blindedPaths = paths(mayBeEmpty: false)
    /// The same where the document has its own rule that there must be one.
    static let anyBlindedPaths = paths(mayBeEmpty: true)

    private static func paths(mayBeEmpty: Bool) -> ValueCoding {
        list(
            mayBeEmpty: mayBeEmpty,
            { reader throws(ValueFault) in
                try path { () throws(BlindedPathFault) in try BlindedPath(from: &reader) }
            },
            { path, writer in path.write(to: &writer) })
    }
}

extension ValueCoding<[BlindedPayinfo]> {
    /// `...*blinded_payinfo`, at least one
    static let blindedPay = list(
        { reader throws(ValueFault) in
            try path { () throws(BlindedPathFault) in try BlindedPayinfo(from: &reader) }
        },
        { payinfo, writer in payinfo.write(to: &writer) })
}

private func path<Value>(_ body: () throws(BlindedPathFault) -> Value) throws(ValueFault) -> Value {
    try rethrowing(body(), as: ValueFault.path)
}
