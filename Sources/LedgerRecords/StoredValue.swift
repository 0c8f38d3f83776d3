package import LightningCoding

/// A parameter of a statement, in whatever database.
package protocol StoredValue: Sendable {
    /// What the database throws.
    associatedtype Fault: Error

    /// Null.
    static var null: Self { get }
    /// A signed integer.
    static func integer(_ integer: Int64) -> Self
    /// Text.
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

    /// Text, or null.
    package static func optionalText(_ text: String?) -> Self { text.map { .text($0) } ?? .null }

    /// Bytes, or null.
    package static func optionalBlob(_ bytes: [UInt8]?) -> Self { bytes.map { .blob($0) } ?? .null }
}
