package import LightningCoding

/// A row of a ledger's tables, in whatever database. Columns count from 0, in the order of the `SELECT`.
package protocol StoredRow: ~Copyable {
    /// What the database throws.
    associatedtype Fault: DamageFault

    func isNull(_ column: Int32) -> Bool

    /// A signed integer.
    func integer(_ column: Int32) throws(Fault) -> Int64

    func text(_ column: Int32) throws(Fault) -> String

    /// Bytes.
    func blob(_ column: Int32) throws(Fault) -> [UInt8]

    /// The fault for a column with an invalid value.
    func unexpected(at column: Int32) -> Fault
}

extension StoredRow where Self: ~Copyable {
    /// A non-negative integer.
    package func unsigned(_ column: Int32) throws(Fault) -> UInt64 {
        guard let number = UInt64(exactly: try integer(column)) else { throw unexpected(at: column) }
        return number
    }

    /// A time, in seconds since 1970.
    package func time(_ column: Int32) throws(Fault) -> UnixTime { UnixTime(try unsigned(column)) }

    /// A time, or nil for null.
    package func optionalTime(_ column: Int32) throws(Fault) -> UnixTime? { isNull(column) ? nil : try time(column) }

    /// An amount, in msat.
    package func amount(_ column: Int32) throws(Fault) -> Millisatoshi { Millisatoshi(try unsigned(column)) }

    /// Text, or nil for null.
    package func optionalText(_ column: Int32) throws(Fault) -> String? { isNull(column) ? nil : try text(column) }

    /// Bytes, or nil for null.
    package func optionalBlob(_ column: Int32) throws(Fault) -> [UInt8]? { isNull(column) ? nil : try blob(column) }

    /// A value parsed from text; text that cannot be parsed is a fault of the database.
    package func text<Meaning>(_ column: Int32, as meaning: (String) throws -> Meaning?) throws(Fault) -> Meaning {
        guard let value = try? meaning(try text(column)) else { throw unexpected(at: column) }
        return value
    }

    /// A value parsed from bytes; bytes that cannot be parsed are a fault of the database.
    package func blob<Meaning>(_ column: Int32, as meaning: ([UInt8]) throws -> Meaning?) throws(Fault) -> Meaning {
        guard let value = try? meaning(try blob(column)) else { throw unexpected(at: column) }
        return value
    }
}

extension StoredRow where Self: ~Copyable {
    /// What is read from the row; or why not, for a check that goes on.
    package func attempt<Meaning>(
        _ read: (borrowing Self) throws(Fault) -> Meaning
    ) -> Result<Meaning, Damage> {
        do throws(Fault) {
            return .success(try read(self))
        } catch {
            return .failure(Damage(words: error.damage))
        }
    }
}

/// A database's fault that says what is wrong with a row.
package protocol DamageFault: Error {
    /// What is wrong.
    var damage: String { get }
}

/// Why a row cannot be read.
package struct Damage: Error, Hashable, Sendable {
    package let words: String
}

/// A parameter of a statement, in whatever database.
package protocol StoredValue: Sendable {
    /// What the database throws.
    associatedtype Fault: Error

    static var null: Self { get }
    /// A signed integer.
    static func integer(_ integer: Int64) -> Self
    static func text(_ text: String) -> Self
    /// Bytes.
    static func blob(_ bytes: [UInt8]) -> Self
    /// An unsigned integer.
    ///
    /// - Throws: above 2^63 - 1.
    static func unsigned(_ number: UInt64) throws(Fault) -> Self
}

extension StoredValue {
    /// A time, in seconds since 1970.
    package static func time(_ time: UnixTime) throws(Fault) -> Self { try .unsigned(time.seconds) }

    /// A time, or null.
    package static func optionalTime(_ time: UnixTime?) throws(Fault) -> Self {
        guard let time else { return .null }
        return try .time(time)
    }

    /// An amount, in msat.
    package static func amount(_ amount: Millisatoshi) throws(Fault) -> Self { try .unsigned(amount.msat) }

    package static func optionalText(_ text: String?) -> Self { text.map { .text($0) } ?? .null }

    /// Bytes, or null.
    package static func optionalBlob(_ bytes: [UInt8]?) -> Self { bytes.map { .blob($0) } ?? .null }
}
