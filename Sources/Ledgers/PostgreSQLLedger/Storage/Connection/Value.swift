package import LedgerRecords

/// A parameter of a statement, sent in PostgreSQL's binary format.
package enum Value: Hashable, Sendable {
    /// A `bigint`, a `text` or a `bytea`.
    case one(StoredValue)
    /// A `bigint[]`; nil for null.
    case integers([Int64?])
    /// A `text[]`; nil for null.
    case texts([String?])
    /// A `bytea[]`; nil for null.
    case blobs([[UInt8]?])
}

/// A statement, constant text with `$1`, `$2`, … for its values. It is prepared once for each connection.
package struct Query: Hashable, Sendable {
    package let sql: String
    package let values: [Value]

    package init(_ sql: String, _ values: [StoredValue] = []) {
        self.init(sql, values.map(Value.one))
    }

    package init(_ sql: String, _ values: [Value]) {
        self.sql = sql
        self.values = values
    }
}
