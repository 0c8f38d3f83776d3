public import LightningCoding

/// A parameter of a statement, sent in PostgreSQL's binary format.
public enum Value: Hashable, Sendable {
    /// Null.
    case null
    /// A `bigint`.
    case integer(Int64)
    /// A `text`.
    case text(String)
    /// A `bytea`.
    case blob([UInt8])
    /// A `boolean`.
    case boolean(Bool)
    /// A `bigint[]`; nil for null.
    case integers([Int64?])
    /// A `text[]`; nil for null.
    case texts([String?])
    /// A `bytea[]`; nil for null.
    case blobs([[UInt8]?])

    /// Text, or `null`.
    public static func text(_ text: String?) -> Value {
        text.map { .text($0) } ?? .null
    }

    /// An unsigned integer.
    ///
    /// - Throws: `StorageFault.outOfRange` above 2^63 - 1.
    public static func unsigned(_ number: UInt64) throws(StorageFault) -> Value {
        guard let integer = Int64(exactly: number) else { throw .outOfRange }
        return .integer(integer)
    }

    /// A time, in seconds since 1970.
    public static func time(_ time: UnixTime) throws(StorageFault) -> Value { try .unsigned(time.seconds) }
}

/// A statement, constant text with `$1`, `$2`, … for its values. It is prepared once for each connection.
public struct Query: Hashable, Sendable {
    /// The text.
    public let sql: String
    /// The values of `$1`, `$2`, … in order.
    public let values: [Value]

    /// Creates a query.
    public init(_ sql: String, _ values: [Value] = []) {
        self.sql = sql
        self.values = values
    }
}
