import Bolt11
import Bolt12
import LNURL
import LightningCrypto
public import Receiving
import SQLiteStorage

extension LedgerDatabase {
    /// Examines the file and everything in it, while others go on reading and writing.
    ///
    /// - Throws: only when nothing can be examined; what is wrong in the ledger stands in the report.
    public func check() async throws(LedgerFault) -> LedgerReport {
        var report = LedgerReport()
        do {
            report.findings = try await database.integrityProblems().map(LedgerReport.Finding.file)
            try await checkAccounts(&report)
            try await checkInvoices(&report)
        } catch .corrupt(let text) {
            report.findings.append(.file(text))
        } catch {
            throw LedgerFault(error)
        }
        return report
    }

    private func checkAccounts(_ report: inout LedgerReport) async throws(StorageFault) {
        let accounts = try await database.read { connection throws(StorageFault) in
            try connection.rows(Account.query) { row throws(StorageFault) in
                (name: try row.text(0), isReadable: (try? PayMetadata(parsing: Account(row).metadata)) != nil)
            }
        }
        let broken = try await database.read { connection throws(StorageFault) in
            try connection.rows(Self.accountsWithGaps) { row throws(StorageFault) in try row.text(0) }
        }
        report.accounts = accounts.count
        report.findings += accounts.filter { !$0.isReadable }.map { .account($0.name) }
        report.findings += broken.map { .versions(account: $0) }
    }

    /// As many versions as the current one counts, from 1 to it, are all of them, since no two are the same.
    private static let accountsWithGaps = """
        SELECT account.name
        FROM account LEFT JOIN account_version ON account_version.account = account.id
        GROUP BY account.id
        HAVING count(account_version.id) != account.version
            OR min(account_version.version) != 1
            OR max(account_version.version) != account.version
        """

    private func checkInvoices(_ report: inout LedgerReport) async throws(StorageFault) {
        var position: Int64 = 0
        while report.findings.count < LedgerReport.findingsLimit {
            let rows = try await database.read { [position] connection throws(StorageFault) in
                try connection.rows(Self.nextInvoices, [.integer(position)], read: ExaminedRow.init)
            }
            guard let last = rows.last else { return }
            position = last.position
            for row in rows { row.add(to: &report) }
        }
    }

    private static let nextInvoices = """
        SELECT \(IssuedInvoice.columns), id, EXISTS (
            SELECT 1 FROM account JOIN account_version ON account_version.account = account.id
            WHERE account.name = invoice.account AND account_version.version = invoice.metadata_version
        ) OR EXISTS (
            SELECT 1 FROM offer WHERE offer.offer_id = invoice.offer AND offer.account = invoice.account
        )
        FROM invoice WHERE id > ?1 ORDER BY id LIMIT 500
        """
}

/// A row of the invoices, which may be damaged.
private struct ExaminedRow: Sendable {
    let position: Int64
    private let invoice: Result<IssuedInvoice, StorageFault>
    private let hasOrigin: Bool

    init(_ row: borrowing Row) throws(StorageFault) {
        position = try row.integer(IssuedInvoice.columnCount)
        hasOrigin = try row.integer(IssuedInvoice.columnCount + 1) != 0
        do throws(StorageFault) {
            invoice = .success(try IssuedInvoice(row))
        } catch {
            invoice = .failure(error)
        }
    }

    func add(to report: inout LedgerReport) {
        report.invoices += 1
        switch invoice {
        case .success(let invoice):
            if invoice.settlement != nil { report.settled += 1 }
            if !hasOrigin { report.findings.append(invoice.lostOrigin) }
            report.findings += invoice.contradictions
        case .failure(.corrupt(let text)):
            report.findings.append(.invoiceRow(position: position, text))
        case .failure(let fault):
            report.findings.append(.invoiceRow(position: position, "\(fault)"))
        }
    }
}

extension IssuedInvoice {
    /// What is missing of that by which it was asked for.
    fileprivate var lostOrigin: LedgerReport.Finding {
        switch origin {
        case .lnurl: .metadataVersion(paymentHash)
        case .bolt12: .offer(paymentHash)
        }
    }

    /// Where the parts of a record contradict each other.
    fileprivate var contradictions: [LedgerReport.Finding] {
        var found: [LedgerReport.Finding] = []
        if let text = try? UnverifiedBolt11Invoice(bolt11) {
            if text.paymentHash != paymentHash { found.append(.invoiceHash(paymentHash)) }
            if text.amount != amount { found.append(.invoiceAmount(paymentHash)) }
        } else {
            found.append(.invoiceText(paymentHash))
        }
        if case .bolt12(let offered) = origin {
            let invoice = try? Invoice(bytes: offered.invoice)
            if invoice?.paymentHash != paymentHash || invoice?.amount != amount {
                found.append(.offeredInvoice(paymentHash))
            }
        }
        if let settlement, settlement.preimage.paymentHash != paymentHash { found.append(.preimage(paymentHash)) }
        return found
    }
}
