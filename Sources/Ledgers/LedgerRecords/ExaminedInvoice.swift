import Bolt11
import Bolt12
import LNURL
package import LightningCrypto
package import ResponderModel

/// A row of the invoices that is checked, and may be damaged.
package struct ExaminedInvoice: ExaminedRow {
    package let position: Int64
    private let invoice: Result<IssuedInvoice, Damage>
    /// The text shown to the payer of an LNURL; nil when it is missing.
    private let metadata: String?
    private let hasOffer: Bool

    /// Reads a row of ``next``.
    package init(_ row: some StoredRow) throws(LedgerFault) {
        position = try row.integer("position")
        metadata = try row.optionalText("metadata")
        hasOffer = try row.integer("has_offer") != 0
        invoice = row.attempt { row throws(LedgerFault) in try IssuedInvoice(row) }
    }

    /// The next rows behind the position `$1`.
    package static let next = """
        SELECT \(IssuedInvoice.columns), id AS position, (
            SELECT account_version.metadata FROM account_version
            WHERE account_version.account = invoice.account AND account_version.version = invoice.metadata_version
        ) AS metadata, (
            SELECT count(*) FROM offer WHERE offer.offer_id = invoice.offer AND offer.account = invoice.account
        ) AS has_offer
        FROM invoice WHERE id > $1 ORDER BY id LIMIT 500
        """

    /// - Parameter payees: the keys of the nodes; the payees of other nodes' invoices are not checked.
    package func add(to report: inout LedgerReport, _ payees: [BackendName: PublicKey]) {
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
        case .failure(let damage):
            report.findings.append(.invoiceRow(position: position, damage.words))
        }
    }

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
        let invoice = try? Bolt12Invoice(bytes: bytes)
        return invoice?.paymentHash == paymentHash && invoice?.amount == amount ? [] : [.offeredInvoice(paymentHash)]
    }
}
