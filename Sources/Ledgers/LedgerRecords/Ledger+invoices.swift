import Bolt12
import LNURL
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension SQLLedger {
    package func openInvoices(
        of account: AccountID, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices {
        let found = try await first(
            """
            SELECT count(*) AS count, min(expires_at) AS next_expiry FROM (
                SELECT expires_at FROM invoice \(Connection.indexed(by: "invoice_open"))
                WHERE account = \(AccountID.number("$1", "$2")) AND settled_at IS NULL AND expires_at > $3
                ORDER BY expires_at LIMIT $4
            ) AS open
            """, account.values() + [.time(now), .integer(Int64(clamping: limit))]
        ) { row throws(LedgerFault) in
            OpenInvoices(count: try row.unsigned("count"), nextExpiry: try row.optionalTime("next_expiry"))
        }
        return found ?? OpenInvoices(count: 0, nextExpiry: nil)
    }

    package func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> Page<IssuedInvoice> {
        // Those of a node are read to reconcile it: it may have few among millions of others'.
        try await page(
            Self.listing(query), of: query.limit, within: query.backend == nil ? nil : longWork, IssuedInvoice.init)
    }

    /// Each is served by one index, in the order of the page.
    package static func listing(_ query: InvoiceQuery) throws(LedgerFault) -> Listing {
        let index: String? =
            switch (query.account, query.state) {
            case (_?, _): "invoice_by_account"
            case (nil, .settled): "invoice_settled"
            case (nil, .open), (nil, .expired): "invoice_unsettled"
            case (nil, nil): nil
            }
        var listing = Listing(
            of: IssuedInvoice.columns, from: "invoice \(index.map { Connection.indexed(by: $0) } ?? "")",
            after: query.after, limit: query.limit)
        if let account = query.account { listing.requireAccount(account) }
        if let backend = query.backend { listing.require("backend =", .text(backend.description)) }
        switch query.state {
        case .open:
            listing.require("settled_at IS NULL")
            listing.require("expires_at >", try .time(query.now))
        case .expired:
            listing.require("settled_at IS NULL")
            listing.require("expires_at <=", try .time(query.now))
        case .settled: listing.require("settled_at IS NOT NULL")
        case nil: break
        }
        return listing
    }

    package func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool {
        try await read { connection throws(LedgerFault) in
            try connection.exists("SELECT 1 FROM used_challenge WHERE bytes = $1", [.blob(challenge.bytes)])
        }
    }

    package func prune(before now: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        try await write(under: lease, within: longWork) { connection throws(LedgerFault) in
            let time = try StoredValue.time(now)
            try connection.run("DELETE FROM woken_address WHERE woken_at + \(CatchUpState.interval) <= $1", [time])
            try connection.run(
                "DELETE FROM device_statement WHERE signed_at + \(DeviceProfile.statementMemory) <= $1", [time])
            try connection.pruneOwnTables()
            return try connection.changes("DELETE FROM used_challenge WHERE expires_at < $1", [time])
                + connection.changes("DELETE FROM answered_request WHERE expires_at < $1", [time])
        }
    }

    /// Checks that the ledger accepts writes, by inserting and deleting a row in one transaction: it is written all the
    /// same.
    package func probe() async throws(LedgerFault) {
        // Not a challenge: those have 32 bytes.
        let probe = StoredValue.blob(Array("probe".utf8))
        try await write { connection throws(LedgerFault) in
            try connection.run("INSERT INTO used_challenge (bytes, expires_at) VALUES ($1, 0)", [probe])
            try connection.run("DELETE FROM used_challenge WHERE bytes = $1", [probe])
        }
    }
}

extension IssuedInvoice {
    /// The columns of `invoice` in the order of `init(_:)`.
    package static let columns = "payment_hash, \(AccountID.text(in: "invoice")), \(others)"

    /// The columns after the account, in the order of `values`.
    package static let others = """
        backend, label, bolt11, amount, created_at, expires_at, \
        settled_at, received, preimage, origin, metadata_version, tag, comment, payer_data, \
        offer, bolt12, quantity, payer_note, payee_name
        """

    /// The payment hash, the account's name and domain, and the other columns.
    package func values() throws(LedgerFault) -> [StoredValue] {
        [
            .blob(paymentHash.bytes), .text(account.name.text), .text(account.domain.text),
            .text(backend.description), .text(label), .text(bolt11 ?? ""), try .amount(amount), try .time(createdAt),
            try .time(expiresAt),
        ] + (try Self.values(of: settlement)) + (try Self.values(of: origin))
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        let bolt11 = try row.text("bolt11")
        self.init(
            paymentHash: try row.blob("payment_hash") { try PaymentHash($0) },
            account: try row.text("account") { try AccountID($0) },
            backend: try row.text("backend") { BackendName($0) },
            label: try row.text("label"),
            // The column is not null, and empty where there is no BOLT11 text.
            bolt11: bolt11.isEmpty ? nil : bolt11,
            amount: try row.amount("amount"),
            createdAt: try row.time("created_at"),
            expiresAt: try row.time("expires_at"),
            origin: try Self.origin(in: row),
            settlement: try Self.settlement(in: row))
    }

    private static func values(
        of settlement: RecordedSettlement?
    ) throws(LedgerFault) -> [StoredValue] {
        guard let settlement else { return [.null, .null, .null] }
        return try settlement.values()
    }

    private static func settlement(
        in row: some StoredRow
    ) throws(LedgerFault) -> RecordedSettlement? {
        guard try !row.isNull("settled_at") else { return nil }
        return RecordedSettlement(
            settledAt: try row.time("settled_at"), received: try row.amount("received"),
            preimage: try row.blob("preimage") { try Preimage($0) })
    }

    private static func values(of origin: InvoiceOrigin) throws(LedgerFault) -> [StoredValue] {
        switch origin {
        case .lnurl(let words):
            [
                .text("lnurl"), try .unsigned(words.metadataVersion), .optionalText(words.tag),
                .optionalText(words.comment), .optionalText(words.payerData), .null, .null, .null, .null, .null,
            ]
        case .bolt12(let offered):
            [
                .text("bolt12"), .null, .null, .null, .null,
                .blob(offered.offer.bytes), .optionalBlob(offered.invoice),
                .optionalText(offered.quantity.map { String($0) }),
                .optionalText(offered.payerNote), .optionalText(offered.name),
            ]
        }
    }

    private static func origin(in row: some StoredRow) throws(LedgerFault) -> InvoiceOrigin {
        switch try row.text("origin") {
        case "lnurl":
            .lnurl(
                InvoiceOrigin.PayerWords(
                    metadataVersion: try row.unsigned("metadata_version"), tag: try row.optionalText("tag"),
                    comment: try row.optionalText("comment"), payerData: try row.optionalText("payer_data")))
        case "bolt12":
            .bolt12(
                InvoiceOrigin.OfferedInvoice(
                    offer: try row.blob("offer") { OfferID($0) }, invoice: try row.optionalBlob("bolt12"),
                    quantity: try row.optionalText("quantity") { UInt64($0) },
                    payerNote: try row.optionalText("payer_note"), name: try row.optionalText("payee_name")))
        default: throw row.unexpected("origin")
        }
    }
}

extension RecordedSettlement {
    /// When it was settled, what was received, and the preimage.
    package func values() throws(LedgerFault) -> [StoredValue] {
        [try .time(settledAt), try .amount(received), .blob(preimage.bytes)]
    }

    package init(_ settlement: Settlement) {
        self.init(
            settledAt: settlement.settledAt, received: settlement.received, preimage: settlement.preimage)
    }
}

extension IssuedInvoice {
    /// The known part of an invoice that a node issued itself, for its own offer.
    package init(
        _ settlement: Settlement, by offered: OfferedPayment, for account: AccountID, from backend: BackendName
    ) {
        let invoice = offered.invoice
        let words = invoice?.fields.request
        // Whoever pays chooses its bytes, and the node need not have checked them.
        let name = words?.bip353Name.flatMap { $0.isValid ? $0.description : nil }
        self.init(
            paymentHash: settlement.paymentHash,
            account: account,
            backend: backend,
            label: settlement.paymentHash.hexadecimal,
            bolt11: nil,
            amount: invoice?.amount ?? settlement.received,
            createdAt: invoice?.createdAt ?? settlement.settledAt,
            expiresAt: (invoice?.expiresAt ?? settlement.settledAt).adding(seconds: 1),
            origin: .bolt12(
                .init(
                    offer: offered.offer, invoice: invoice?.stream.bytes, quantity: words?.quantity,
                    payerNote: offered.payerNote, name: name)),
            settlement: RecordedSettlement(settlement))
    }
}
