import LNURL
import LightningCoding
package import ResponderModel

extension AccountID {
    /// The parameters of a statement that names an account: its name and its domain.
    package func values() -> [StoredValue] { [.text(name.text), .text(domain.text)] }

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
    /// The columns that `init(_:)` reads.
    package static let columns = "domain.public_url, domain.settings AS domain_settings, domain.is_main"

    /// Selects the existing domains; to be continued with `AND` or `ORDER BY`.
    package static let query = "SELECT \(columns) FROM domain WHERE domain.is_removed = 0"

    /// For a name.
    package static let named = query + " AND domain.name = $1"

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            publicURL: try row.text("public_url") { try PublicURL($0) },
            settings: try row.text("domain_settings") { try DomainSettings(json: JSONValue(parsing: $0)) },
            isMain: try row.integer("is_main") != 0)
    }
}

extension Account {
    /// Selects the existing accounts, with the columns that `init(_:)` reads and the account's text; to be continued with
    /// `AND` or `ORDER BY`.
    package static let query = """
        SELECT account.name, account.version, account_version.metadata, account.settings, account.created_at,
            \(Domain.columns), account.name || '@' || domain.name AS address
        FROM account JOIN domain ON domain.id = account.domain
            JOIN account_version ON account_version.account = account.id AND account_version.version = account.version
        WHERE account.is_removed = 0
        """

    /// For a name and its domain.
    package static let named = query + " AND domain.name = $2 AND account.name = $1"

    /// Versions are unique, so an account with as many as its current number has all of them, from 1 on.
    package static let withGaps = """
        SELECT account.name || '@' || domain.name AS address FROM account JOIN domain ON domain.id = account.domain
            LEFT JOIN account_version ON account_version.account = account.id
        GROUP BY account.id, domain.id
        HAVING count(account_version.id) <> account.version OR min(account_version.version) <> 1
            OR max(account_version.version) <> account.version
        """

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            name: try row.text("name") { try AddressName($0) },
            domain: try Domain(row),
            version: try row.unsigned("version"),
            metadata: try row.text("metadata"),
            settings: try row.text("settings") {
                try AccountSettings(json: JSONValue(parsing: $0), defaultBackend: .embedded)
            },
            createdAt: try row.time("created_at"))
    }
}

extension AccountVersion {
    package init(number: UInt64, _ row: some StoredRow) throws(LedgerFault) {
        self.init(
            number: number, metadata: try row.text("metadata"),
            payerData: try row.text("payer_data") { try PayerDataSpec(setting: JSONValue(parsing: $0)) })
    }
}

extension ShownMetadata {
    /// Reads the version, the text and when it was replaced.
    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            version: try row.unsigned("version"), text: try row.text("metadata"),
            replacedAt: try row.optionalTime("replaced_at"))
    }
}
