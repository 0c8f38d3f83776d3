import Bolt11
import Bolt12
import LNURL
package import LightningCrypto
package import ResponderModel

extension SQLLedger {
    /// Checks all contents, and the files as far as the database can.
    ///
    /// - Parameter payees: the keys of the nodes; the payees of other nodes' invoices are not checked.
    /// - Throws: only when nothing can be checked; problems in the ledger are in the report.
    package func check(payees: [BackendName: PublicKey] = [:]) async throws(LedgerFault) -> LedgerReport {
        var report = LedgerReport()
        do throws(LedgerFault) {
            report.findings = try await fileProblems().map(LedgerReport.Finding.file)
            try await checkAccounts(&report)
            try await checkInvoices(&report, payees)
            // Invoices that events mention are not looked up: unpaid ones are deleted earlier than their events.
            try await walk(EventRecord.columns, of: "event", &report) { row, report throws(LedgerFault) in
                report.events += 1
                report.findings += try row.findings(LedgerReport.Finding.eventRow) { () throws(LedgerFault) in
                    _ = try EventRecord(row)
                    return []
                }
            }
            try await checkRegistrations(&report)
        } catch .corrupt(let text) {
            report.findings.append(.file(text))
        }
        return report
    }

    /// Reads all rows of a table, some at a time.
    ///
    /// - Parameter table: the table, with what is joined.
    private func walk(
        _ columns: String, of table: String, position: String = "id", _ report: inout LedgerReport,
        _ examine: @escaping @Sendable (Connection.Row, inout LedgerReport) throws(LedgerFault) -> Void
    ) async throws(LedgerFault) {
        var next: Int64? = -1
        while let begin = next, report.findings.count < LedgerReport.findingsLimit {
            (report, next) = try await read(within: longWork) { [report] connection throws(LedgerFault) in
                var report = report
                var last: Int64?
                _ = try connection.rows(
                    """
                    SELECT \(position) AS position, \(columns) FROM \(table) WHERE \(position) > $1
                    ORDER BY \(position) LIMIT 500
                    """, [.integer(begin)]
                ) { row throws(LedgerFault) in
                    last = try row.integer("position")
                    try examine(row, &report)
                }
                return (report, last)
            }
        }
    }

    private func checkAccounts(_ report: inout LedgerReport) async throws(LedgerFault) {
        let accounts = try await rows(Account.query, within: longWork) { row throws(LedgerFault) in
            (
                address: try row.text("address"),
                isReadable: (try? PayMetadata(parsing: Account(row).metadata)) != nil
            )
        }
        let broken = try await rows(Account.withGaps, within: longWork) { row throws(LedgerFault) in
            try row.text("address")
        }
        report.accounts = accounts.count
        report.findings += accounts.filter { !$0.isReadable }.map { .account($0.address) }
        report.findings += broken.map { .versions(account: $0) }
    }

    private func checkInvoices(
        _ report: inout LedgerReport, _ payees: [BackendName: PublicKey]
    ) async throws(LedgerFault) {
        let columns = """
            (
                SELECT account_version.metadata FROM account_version
                WHERE account_version.account = invoice.account AND account_version.version = invoice.metadata_version
            ) AS shown, (
                SELECT count(*) FROM offer WHERE offer.offer_id = invoice.offer AND offer.account = invoice.account
            ) AS offers, \(IssuedInvoice.columns)
            """
        try await walk(columns, of: "invoice", &report) { row, report throws(LedgerFault) in
            report.invoices += 1
            let (metadata, hasOffer) = (try row.optionalText("shown"), try row.integer("offers") != 0)
            var isSettled = false
            report.findings += try row.findings(LedgerReport.Finding.invoiceRow) { () throws(LedgerFault) in
                let invoice = try IssuedInvoice(row)
                isSettled = invoice.settlement != nil
                return invoice.originFindings(metadata, hasOffer: hasOffer)
                    + invoice.textFindings(payee: payees[invoice.backend]) + invoice.offeredFindings
                    + invoice.preimageFindings
            }
            if isSettled { report.settled += 1 }
        }
    }

    private func checkRegistrations(_ report: inout LedgerReport) async throws(LedgerFault) {
        // A removed account keeps its name.
        report.findings += try await rows(
            """
            SELECT account.name || '@' || domain.name AS address FROM registration
                JOIN domain ON domain.id = registration.domain
                JOIN account ON account.domain = registration.domain AND account.name = registration.name
            ORDER BY account.id
            """, within: longWork
        ) { row throws(LedgerFault) in .sharedName(try row.text("address")) }
        let broken = try await first("SELECT count(*) AS count FROM used_statement WHERE expires_at < 0") {
            row throws(LedgerFault) in
            try row.integer("count")
        }
        if let broken, broken > 0 { report.findings.append(.statements(Int(clamping: broken))) }
        try await walk(Registration.columns, of: Registration.table, position: "registration.id", &report) {
            row, report throws(LedgerFault) in
            report.registrations += 1
            report.findings += try row.findings(in: "registration") { () throws(LedgerFault) in
                _ = try Registration(row)
                return []
            }
        }
        try await walk("name, owner, since", of: "kept_name", &report) { row, report throws(LedgerFault) in
            report.findings += try row.findings(in: "kept name") { () throws(LedgerFault) in
                _ = try row.text("name") { try AddressName($0) }
                _ = try row.optionalBlob("owner") { OwnerDigest($0) }
                _ = try row.time("since")
                return []
            }
        }
        try await walk("preimage, bolt11, payment_hash", of: "paid_invoice", &report) {
            row, report throws(LedgerFault) in
            report.findings += try row.findings(in: "paid invoice") { () throws(LedgerFault) in
                let hash = try row.blob("payment_hash") { try PaymentHash($0) }
                let paid = try PaidInvoice(hash, row)
                let text = try? UnverifiedBolt11Invoice(paid.bolt11)
                return text?.paymentHash == hash && paid.preimage.paymentHash == hash ? [] : [.paidInvoice(hash)]
            }
        }
    }
}

extension StoredRow {
    /// What is found in the row; or why it cannot be read, for a check that goes on.
    fileprivate func findings(
        _ broken: (Int64, String) -> LedgerReport.Finding,
        _ read: () throws(LedgerFault) -> [LedgerReport.Finding]
    ) throws(LedgerFault) -> [LedgerReport.Finding] {
        do throws(LedgerFault) {
            return try read()
        } catch {
            let damage = if case .corrupt(let text) = error { text } else { error.reason }
            return [broken(try integer("position"), damage)]
        }
    }

    fileprivate func findings(
        in table: String, _ read: () throws(LedgerFault) -> [LedgerReport.Finding]
    ) throws(LedgerFault) -> [LedgerReport.Finding] {
        try findings({ .row(of: table, position: $0, $1) }, read)
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
    /// Where what it refers to contradicts the row.
    ///
    /// - Parameter metadata: the text shown to the payer of an LNURL; nil when it is missing.
    fileprivate func originFindings(_ metadata: String?, hasOffer: Bool) -> [LedgerReport.Finding] {
        switch origin {
        case .bolt12: return hasOffer ? [] : [.offer(paymentHash)]
        case .lnurl(let words):
            guard let metadata else { return [.metadataVersion(paymentHash)] }
            // Unreadable text is reported elsewhere.
            guard let text = bolt11.flatMap({ try? UnverifiedBolt11Invoice($0) }) else { return [] }
            return words.hashes(showing: metadata).contains { text.description == .hash($0) }
                ? [] : [.invoiceDescription(paymentHash)]
        }
    }

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

    fileprivate var preimageFindings: [LedgerReport.Finding] {
        guard let settlement, settlement.preimage.paymentHash != paymentHash else { return [] }
        return [.preimage(paymentHash)]
    }

    /// Where the BOLT12 invoice contradicts the row.
    fileprivate var offeredFindings: [LedgerReport.Finding] {
        guard case .bolt12(let offered) = origin else { return [] }
        guard let bytes = offered.invoice else { return bolt11 == nil ? [] : [.offeredInvoice(paymentHash)] }
        let invoice = try? Bolt12Invoice(bytes: bytes)
        return invoice?.paymentHash == paymentHash && invoice?.amount == amount ? [] : [.offeredInvoice(paymentHash)]
    }
}
