import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

/// The tables of registrations, whose rows are checked and may be damaged.
package enum RegistrationTable: CaseIterable, Sendable {
    case registration, keptName, paidInvoice

    package struct Examined: ExaminedRow {
        /// The ledger's own number of the row.
        package let position: Int64
        package let finding: LedgerReport.Finding?
    }

    /// The names that are registered and an account's at once, with their domains; a removed account keeps its name.
    package static let sharedNames = """
        SELECT account.name || '@' || domain.name AS address FROM registration JOIN domain ON domain.id = registration.domain
            JOIN account ON account.domain = registration.domain AND account.name = registration.name
        ORDER BY account.id
        """

    /// The statements whose time is none.
    package static let brokenStatements = "SELECT count(*) AS count FROM used_statement WHERE expires_at < 0"

    /// The next rows behind the position `$1`.
    package var next: String {
        switch self {
        case .registration:
            """
            SELECT \(Registration.columns), registration.id AS position FROM \(Registration.table)
            WHERE registration.id > $1 ORDER BY registration.id LIMIT 500
            """
        case .keptName: "SELECT name, owner, since, id AS position FROM kept_name WHERE id > $1 ORDER BY id LIMIT 500"
        case .paidInvoice:
            "SELECT preimage, bolt11, payment_hash, id AS position FROM paid_invoice WHERE id > $1 ORDER BY id LIMIT 500"
        }
    }

    /// Reads a row of ``next``.
    package func examine(_ row: some StoredRow) throws(LedgerFault) -> Examined {
        let position = try row.integer("position")
        let read = row.attempt { row throws(LedgerFault) in try contradiction(in: row) }
        switch read {
        case .success(let finding): return Examined(position: position, finding: finding)
        case .failure(let damage):
            return Examined(position: position, finding: .row(of: title, position: position, damage.words))
        }
    }

    private func contradiction(
        in row: some StoredRow
    ) throws(LedgerFault) -> LedgerReport.Finding? {
        switch self {
        case .registration:
            _ = try Registration(row)
            return nil
        case .keptName:
            _ = try row.text("name") { try AddressName($0) }
            _ = try row.optionalBlob("owner") { OwnerDigest($0) }
            _ = try row.time("since")
            return nil
        case .paidInvoice:
            let hash = try row.blob("payment_hash") { try PaymentHash($0) }
            let paid = try PaidInvoice(hash, row)
            let text = try? UnverifiedBolt11Invoice(paid.bolt11)
            return text?.paymentHash == hash && paid.preimage.paymentHash == hash ? nil : .paidInvoice(hash)
        }
    }

    private var title: String {
        switch self {
        case .registration: "registration"
        case .keptName: "kept name"
        case .paidInvoice: "paid invoice"
        }
    }
}
