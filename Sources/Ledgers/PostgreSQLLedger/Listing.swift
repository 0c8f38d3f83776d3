import LedgerRecords
import ResponderModel

/// The `SELECT` for a page of rows, newest first: only the conditions that are asked for, so that each combination is
/// planned for itself.
struct Listing {
    private var conditions: [String] = []
    private var values: [Value] = []

    init(after mark: PageMark?, limit: Int) {
        require("id < ", .integer(mark?.position ?? .max))
        values.append(.integer(Int64(limit) + 1))
    }

    mutating func require(_ condition: String) {
        conditions.append(condition)
    }

    /// - Parameter condition: what stands before the value.
    mutating func require(_ condition: String, _ value: Value) {
        values.append(value)
        conditions.append("\(condition)$\(values.count)")
    }

    mutating func require(_ condition: String, _ account: AccountID) {
        values += account.values()
        conditions.append("\(condition)\(AccountID.number("$\(values.count - 1)", "$\(values.count)"))")
    }

    /// The columns, and behind them the position.
    func query(of columns: String, from table: String) -> Query {
        Query(
            """
            SELECT \(columns), id FROM \(table) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY id DESC LIMIT $2
            """, values)
    }
}
