import LNURL
import LightningCoding
package import ResponderModel

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

extension InstanceRecord {
    /// The columns of `instance` in the order of `init(_:)` and `values`.
    package static let columns =
        "instance_id, name, process, version, started_at, payers, admin, keys, public_url, tells_settlements"

    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        [
            .text(id.text), .text(name.text), .integer(Int64(process)), .text(version), try .time(startedAt),
            .text("\(payers)"), .text("\(admin)"), .blob(keys.bytes), .optionalText(publicURL?.text),
            .integer(tellsSettlementsOfAll ? 1 : 0),
        ]
    }

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            id: try row.text(0) { InstanceID($0) }, name: try row.text(1) { InstanceName($0) },
            process: Int32(clamping: try row.integer(2)), version: try row.text(3), startedAt: try row.time(4),
            payers: try row.text(5) { try ListenAddress($0) }, admin: try row.text(6) { try ListenAddress($0) },
            publicURL: row.isNull(8) ? nil : try row.text(8) { try PublicURL($0) },
            keys: try row.blob(7) { KeysFingerprint($0) }, tellsSettlementsOfAll: try row.integer(9) != 0)
    }
}
