/// A parameter value of a statement.
public enum Value: Hashable, Sendable {
    /// Null.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// Text.
    case text(String)
    /// Bytes.
    case blob([UInt8])

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
}
