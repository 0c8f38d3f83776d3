import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

/// The tables of registrations, whose rows are checked and may be damaged.
package enum RegistrationTable: CaseIterable, Sendable {
    case registration, keptName, paidInvoice

    /// A row that was read.
    package struct Examined: Sendable {
        /// The ledger's own number of the row.
        package let position: Int64
        package let finding: LedgerReport.Finding?
    }

    /// The names that are registered and an account's at once, with their domains; a removed account keeps its name.
    package static let sharedNames = """
        SELECT account.name || '@' || domain.name FROM registration JOIN domain ON domain.id = registration.domain
            JOIN account ON account.domain = registration.domain AND account.name = registration.name
        ORDER BY account.id
        """

    /// The statements whose time is none.
    package static let brokenStatements = "SELECT count(*) FROM used_statement WHERE expires_at < 0"

    /// The next rows behind the position `$1`.
    package var next: String {
        switch self {
        case .registration: Registration.query + " WHERE registration.id > $1 ORDER BY registration.id LIMIT 500"
        case .keptName: "SELECT name, owner, since, id FROM kept_name WHERE id > $1 ORDER BY id LIMIT 500"
        case .paidInvoice:
            "SELECT preimage, bolt11, payment_hash, id FROM paid_invoice WHERE id > $1 ORDER BY id LIMIT 500"
        }
    }

    /// Reads a row of ``next``.
    package func examine<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) -> Examined {
        let position = try row.integer(self == .registration ? Registration.columnCount : 3)
        let read = row.attempt { row throws(Row.Fault) in try contradiction(in: row) }
        switch read {
        case .success(let finding): return Examined(position: position, finding: finding)
        case .failure(let damage):
            return Examined(position: position, finding: .row(of: title, position: position, damage.words))
        }
    }

    private func contradiction<Row: StoredRow & ~Copyable>(
        in row: borrowing Row
    ) throws(Row.Fault) -> LedgerReport.Finding? {
        switch self {
        case .registration:
            _ = try Registration(row)
            return nil
        case .keptName:
            _ = try row.text(0) { try AddressName($0) }
            if !row.isNull(1) { _ = try row.blob(1) { OwnerDigest($0) } }
            _ = try row.time(2)
            return nil
        case .paidInvoice:
            let hash = try row.blob(2) { try PaymentHash($0) }
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
