package import ResponderModel
package import LightningCoding

/// A value in a ledger's tables, in whatever database.
package enum StoredValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

extension StoredValue {
    /// An unsigned integer.
    ///
    /// - Throws: above 2^63 - 1.
    package static func unsigned(_ number: UInt64) throws(LedgerFault) -> StoredValue {
        guard let integer = Int64(exactly: number) else { throw .unstorable("a number is above 2^63 - 1") }
        return .integer(integer)
    }

    /// A time, in seconds since 1970.
    package static func time(_ time: UnixTime) throws(LedgerFault) -> StoredValue { try .unsigned(time.seconds) }

    package static func optionalTime(_ time: UnixTime?) throws(LedgerFault) -> StoredValue {
        guard let time else { return .null }
        return try .time(time)
    }

    /// An amount, in msat.
    package static func amount(_ amount: Millisatoshi) throws(LedgerFault) -> StoredValue { try .unsigned(amount.msat) }

    package static func optionalText(_ text: String?) -> StoredValue { text.map { .text($0) } ?? .null }

    package static func optionalBlob(_ bytes: [UInt8]?) -> StoredValue { bytes.map { .blob($0) } ?? .null }
}

/// A row that a statement returns, in whatever database. Its columns are read by their names; one that is missing or of the
/// wrong type makes the database `corrupt`. Reading them in the order of the `SELECT` finds each at once.
package protocol StoredRow: SendableMetatype {
    func column(named name: StaticString) -> Int32?

    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) throws(LedgerFault) -> Int64
    func text(_ column: Int32) throws(LedgerFault) -> String
    func blob(_ column: Int32) throws(LedgerFault) -> [UInt8]

    /// What a column holds, whatever it is.
    func value(_ column: Int32) throws(LedgerFault) -> StoredValue
}

extension StoredRow {
    package func isNull(_ column: StaticString) throws(LedgerFault) -> Bool { isNull(try place(of: column)) }

    package func integer(_ column: StaticString) throws(LedgerFault) -> Int64 { try integer(place(of: column)) }

    package func text(_ column: StaticString) throws(LedgerFault) -> String { try text(place(of: column)) }

    package func blob(_ column: StaticString) throws(LedgerFault) -> [UInt8] { try blob(place(of: column)) }

    /// The first columns, as they are stored.
    package func values(_ count: Int) throws(LedgerFault) -> [StoredValue] {
        var values: [StoredValue] = []
        for place in 0..<Int32(count) { values.append(try value(place)) }
        return values
    }

    private func place(of column: StaticString) throws(LedgerFault) -> Int32 {
        guard let place = self.column(named: column) else { throw .corrupt("there is no column \(column)") }
        return place
    }
}

extension StoredRow {
    package func unexpected(_ column: StaticString) -> LedgerFault { .corrupt("unexpected value in \(column)") }

    package func unsigned(_ column: StaticString) throws(LedgerFault) -> UInt64 {
        guard let number = UInt64(exactly: try integer(column)) else { throw unexpected(column) }
        return number
    }

    /// A time, in seconds since 1970.
    package func time(_ column: StaticString) throws(LedgerFault) -> UnixTime { UnixTime(try unsigned(column)) }

    package func optionalTime(_ column: StaticString) throws(LedgerFault) -> UnixTime? {
        try isNull(column) ? nil : time(column)
    }

    /// An amount, in msat.
    package func amount(_ column: StaticString) throws(LedgerFault) -> Millisatoshi {
        Millisatoshi(try unsigned(column))
    }

    package func optionalText(_ column: StaticString) throws(LedgerFault) -> String? {
        try isNull(column) ? nil : text(column)
    }

    package func optionalBlob(_ column: StaticString) throws(LedgerFault) -> [UInt8]? {
        try isNull(column) ? nil : blob(column)
    }

    /// A value parsed from text; text that cannot be parsed is a fault of the database.
    package func text<Meaning>(
        _ column: StaticString, as meaning: (String) throws -> Meaning?
    ) throws(LedgerFault) -> Meaning {
        guard let value = try? meaning(try text(column)) else { throw unexpected(column) }
        return value
    }

    /// A value parsed from bytes; bytes that cannot be parsed are a fault of the database.
    package func blob<Meaning>(
        _ column: StaticString, as meaning: ([UInt8]) throws -> Meaning?
    ) throws(LedgerFault) -> Meaning {
        guard let value = try? meaning(try blob(column)) else { throw unexpected(column) }
        return value
    }

    package func optionalText<Meaning>(
        _ column: StaticString, as meaning: (String) throws -> Meaning?
    ) throws(LedgerFault) -> Meaning? {
        try isNull(column) ? nil : text(column, as: meaning)
    }

    package func optionalBlob<Meaning>(
        _ column: StaticString, as meaning: ([UInt8]) throws -> Meaning?
    ) throws(LedgerFault) -> Meaning? {
        try isNull(column) ? nil : blob(column, as: meaning)
    }
}
