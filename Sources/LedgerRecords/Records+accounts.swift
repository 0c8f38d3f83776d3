import LNURL
import LightningCoding
package import Contracts

extension AccountID {
    /// The parameters of a statement that names an account: its name and its domain.
    package func values<Value: StoredValue>() -> [Value] { [.text(name.text), .text(domain.text)] }

    /// A query for an account's number, or NULL when it never existed.
    ///
    /// - Parameters:
    ///   - name: the placeholder of the name.
    ///   - domain: the placeholder of the domain's name.
    package static func number(_ name: String, _ domain: String) -> String {
        """
        (SELECT account.id FROM domain JOIN account ON account.domain = domain.id
        WHERE domain.name = \(domain) AND account.name = \(name))
        """
    }

    /// A query for the text of the account that a row of a table refers to.
    package static func text(in table: String) -> String {
        """
        (SELECT account.name || '@' || domain.name FROM account JOIN domain ON domain.id = account.domain
        WHERE account.id = \(table).account) AS account
        """
    }
}

extension Domain {
    /// The columns that `init(_:at:)` reads.
    package static let columns = "domain.public_url, domain.settings, domain.is_main"

    /// Selects the existing domains; to be continued with `AND` or `ORDER BY`.
    package static let query = "SELECT \(columns) FROM domain WHERE domain.is_removed = 0"

    /// - Parameter first: the number of the first of the columns.
    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row, at first: Int32 = 0) throws(Row.Fault) {
        self.init(
            publicURL: try row.text(first) { try PublicURL($0) },
            settings: try row.text(first + 1) { try DomainSettings(json: JSONValue(parsing: $0)) },
            isMain: try row.integer(first + 2) != 0)
    }
}

extension Account {
    /// Selects the existing accounts, with the columns that `init(_:)` reads and the account's text; to be continued with
    /// `AND` or `ORDER BY`.
    package static let query = """
        SELECT account.name, account.version, account_version.metadata, account.settings, account.created_at,
            \(Domain.columns), account.name || '@' || domain.name
        FROM account JOIN domain ON domain.id = account.domain
            JOIN account_version ON account_version.account = account.id AND account_version.version = account.version
        WHERE account.is_removed = 0
        """

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            name: try row.text(0) { try AddressName($0) },
            domain: try Domain(row, at: 5),
            version: try row.unsigned(1),
            metadata: try row.text(2),
            settings: try row.text(3) { try AccountSettings(json: JSONValue(parsing: $0), defaultBackend: .embedded) },
            createdAt: try row.time(4))
    }
}

extension AccountVersion {
    /// Reads the metadata and the payer data.
    package init<Row: StoredRow & ~Copyable>(number: UInt64, _ row: borrowing Row) throws(Row.Fault) {
        self.init(
            number: number, metadata: try row.text(0),
            payerData: try row.text(1) { try PayerDataSpec(setting: JSONValue(parsing: $0)) })
    }
}

extension StandingMetadata {
    /// Reads the version, the text and when it was replaced.
    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(version: try row.unsigned(0), text: try row.text(1), replacedAt: try row.optionalTime(2))
    }
}
