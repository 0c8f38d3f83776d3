import Bolt11
import Bolt12
import LNURL
public import LightningCrypto
public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// Checks the file and all its contents.
    ///
    /// - Parameter payees: the keys of the nodes; the payees of other nodes' invoices are not checked.
    /// - Throws: only when nothing can be checked; problems in the ledger are in the report.
    public func check(payees: [BackendName: PublicKey] = [:]) async throws(LedgerFault) -> LedgerReport {
        var report = LedgerReport()
        do {
            report.findings = try await database.integrityProblems().map(LedgerReport.Finding.file)
            try await checkAccounts(&report)
            try await checkInvoices(&report, payees)
            try await checkEvents(&report)
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
                (
                    name: try row.text(8), isReadable: (try? PayMetadata(parsing: Account(row).metadata)) != nil
                )
            }
        }
        let broken = try await database.read { connection throws(StorageFault) in
            try connection.rows(Self.accountsWithGaps) { row throws(StorageFault) in try row.text(0) }
        }
        report.accounts = accounts.count
        report.findings += accounts.filter { !$0.isReadable }.map { .account($0.name) }
        report.findings += broken.map { .versions(account: $0) }
    }

    /// Versions are unique, so an account with as many as its current number has all of them, from 1 on.
    private static let accountsWithGaps = """
        SELECT account.name || '@' || domain.name
        FROM account JOIN domain ON domain.id = account.domain LEFT JOIN account_version ON account_version.account = account.id
        GROUP BY account.id
        HAVING count(account_version.id) != account.version
            OR min(account_version.version) != 1
            OR max(account_version.version) != account.version
        """

    private func checkInvoices(
        _ report: inout LedgerReport, _ payees: [BackendName: PublicKey]
    ) async throws(StorageFault) {
        var position: Int64 = 0
        while report.findings.count < LedgerReport.findingsLimit {
            let rows = try await database.read { [position] connection throws(StorageFault) in
                try connection.rows(Self.nextInvoices, [.integer(position)], read: ExaminedRow.init)
            }
            guard let last = rows.last else { return }
            position = last.position
            for row in rows { row.add(to: &report, payees) }
        }
    }

    private static let nextInvoices = """
        SELECT \(IssuedInvoice.columns), id, (
            SELECT account_version.metadata FROM account_version
            WHERE account_version.account = invoice.account AND account_version.version = invoice.metadata_version
        ), EXISTS (
            SELECT 1 FROM offer WHERE offer.offer_id = invoice.offer AND offer.account = invoice.account
        )
        FROM invoice WHERE id > ?1 ORDER BY id LIMIT 500
        """
}

/// A row of the invoices, which may be damaged.
private struct ExaminedRow: Sendable {
    let position: Int64
    private let invoice: Result<IssuedInvoice, StorageFault>
    /// The text shown to the payer of an LNURL; nil when it is missing.
    private let metadata: String?
    private let hasOffer: Bool

    init(_ row: borrowing Row) throws(StorageFault) {
        position = try row.integer(IssuedInvoice.columnCount)
        metadata = try row.optionalText(IssuedInvoice.columnCount + 1)
        hasOffer = try row.integer(IssuedInvoice.columnCount + 2) != 0
        do throws(StorageFault) {
            invoice = .success(try IssuedInvoice(row))
        } catch {
            invoice = .failure(error)
        }
    }

    func add(to report: inout LedgerReport, _ payees: [BackendName: PublicKey]) {
        report.invoices += 1
        switch invoice {
        case .success(let invoice):
            if invoice.settlement != nil { report.settled += 1 }
            report.findings += originFindings(invoice)
            report.findings += invoice.textFindings(payee: payees[invoice.backend])
            report.findings += invoice.offeredFindings
            if let settlement = invoice.settlement, settlement.preimage.paymentHash != invoice.paymentHash {
                report.findings.append(.preimage(invoice.paymentHash))
            }
        case .failure(.corrupt(let text)):
            report.findings.append(.invoiceRow(position: position, text))
        case .failure(let fault):
            report.findings.append(.invoiceRow(position: position, fault.reason))
        }
    }

    /// Problems with the request that the invoice was issued for.
    private func originFindings(_ invoice: IssuedInvoice) -> [LedgerReport.Finding] {
        switch invoice.origin {
        case .bolt12: return hasOffer ? [] : [.offer(invoice.paymentHash)]
        case .lnurl(let words):
            guard let metadata else { return [.metadataVersion(invoice.paymentHash)] }
            // Unreadable text is reported elsewhere.
            guard let text = invoice.bolt11.flatMap({ try? UnverifiedBolt11Invoice($0) }) else { return [] }
            return words.hashes(showing: metadata).contains { text.description == .hash($0) }
                ? [] : [.invoiceDescription(invoice.paymentHash)]
        }
    }
}

extension InvoiceOrigin.PayerWords {
    /// The possible values of `h`: the two texts of LUD-18 differ in whether it covers the payer data.
    fileprivate func hashes(showing stored: String) -> [[UInt8]] {
        let metadata = tag.map { PayMetadata.adding(tag: $0, to: stored) } ?? stored
        return [
            PayMetadata.descriptionHash(of: metadata),
            PayMetadata.descriptionHash(of: metadata, payerData: payerData),
        ]
    }
}

extension IssuedInvoice {
    /// Where the BOLT11 text contradicts the row or itself.
    fileprivate func textFindings(payee: PublicKey?) -> [LedgerReport.Finding] {
        // A node's own offer has no BOLT11 text and is recorded only once paid.
        if bolt11 == nil, case .bolt12 = origin, settlement != nil { return [] }
        guard let text = bolt11.flatMap({ try? UnverifiedBolt11Invoice($0) }) else {
            return [.invoiceText(paymentHash)]
        }
        var found: [LedgerReport.Finding] = []
        if text.paymentHash != paymentHash { found.append(.invoiceHash(paymentHash)) }
        if text.amount != amount { found.append(.invoiceAmount(paymentHash)) }
        if text.expiresAt != expiresAt { found.append(.invoiceExpiry(paymentHash)) }
        let signer = try? text.verified().payee
        if signer == nil { found.append(.invoiceSignature(paymentHash)) }
        if let signer, let payee, signer != payee { found.append(.invoicePayee(paymentHash)) }
        return found
    }

    /// Where the BOLT12 invoice contradicts the row.
    fileprivate var offeredFindings: [LedgerReport.Finding] {
        guard case .bolt12(let offered) = origin else { return [] }
        guard let bytes = offered.invoice else { return bolt11 == nil ? [] : [.offeredInvoice(paymentHash)] }
        let invoice = try? Invoice(bytes: bytes)
        return invoice?.paymentHash == paymentHash && invoice?.amount == amount ? [] : [.offeredInvoice(paymentHash)]
    }
}
