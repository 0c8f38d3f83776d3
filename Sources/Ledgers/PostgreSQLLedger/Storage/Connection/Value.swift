/// A parameter of a statement, sent in PostgreSQL's binary format.
package enum Value: Hashable, Sendable {
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
    package static func text(_ text: String?) -> Value {
        text.map { .text($0) } ?? .null
    }
}

/// A statement, constant text with `$1`, `$2`, … for its values. It is prepared once for each connection.
package struct Query: Hashable, Sendable {
    package let sql: String
    /// The values of `$1`, `$2`, … in order.
    package let values: [Value]

    package init(_ sql: String, _ values: [Value] = []) {
        self.sql = sql
        self.values = values
    }
}
