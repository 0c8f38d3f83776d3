package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel
import LedgerRecords

extension ServerLedger {
    /// Stores a settlement and the backend's cursor in one transaction.
    package func record(
        _ settlement: Settlement, issuedAt: UnixTime?, from backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) -> IssuedInvoice? {
        var queries = [
            try Self.settling(settlement.paymentHash, issuedAt, of: backend, RecordedSettlement(settlement)),
            Query(SettlementCursor.moving, [.text(backend.description), .text(settlement.cursor.text)]),
        ]
        var day = settlement.settledAt
        if let offered = settlement.offered, let offer = try await self.offer(offered.offer), offer.origin == .node,
            // Only the node that made it can report its payments.
            offer.maker.map({ $0.backend == backend }) ?? true
        {
            let invoice = IssuedInvoice(settlement, by: offered, for: offer.account, from: backend)
            day = invoice.createdAt
            queries.append(try Self.adding(invoice))
        }
        queries.append(try Self.finding(settlement.paymentHash, issuedAt))
        var attempt = 1
        while true {
            do throws(LedgerFault) {
                return try told(by: try await write(under: lease, inPartitionOf: day, queries))
            } catch .duplicateInvoice where attempt < Self.attempts {
                // Its id was another invoice's, or somebody has added it at the same moment: then it is known next time.
                attempt += 1
            }
        }
    }

    /// How many ids are tried for an invoice: those of a second repeat after a million.
    private static let attempts = 5

    /// Stores a settlement without moving the backend's cursor.
    package func record(
        _ settlement: RecordedSettlement, of paymentHash: PaymentHash, issuedAt: UnixTime?, from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice? {
        try told(
            by: await write([
                Self.settling(paymentHash, issuedAt, of: backend, settlement), Self.finding(paymentHash, issuedAt),
            ]))
    }

    /// Notifies the observers of a settlement that is durable.
    ///
    /// - Parameter sets: the results: a row where an invoice was settled or added, and the invoice last.
    private func told(by sets: [ResultSet]) throws(LedgerFault) -> IssuedInvoice? {
        guard sets.dropLast().contains(where: { $0.count > 0 }) else { return nil }
        let invoice = try sets.last?.read(IssuedInvoice.init).first
        if let invoice { observers.tell(.settled(invoice)) }
        return invoice
    }

    /// Settles an invoice of the backend, unless it does not exist or is already settled.
    ///
    /// - Parameter issuedAt: leads to its partition; without it all are searched.
    private static func settling(
        _ paymentHash: PaymentHash, _ issuedAt: UnixTime?, of backend: BackendName, _ settlement: RecordedSettlement
    ) throws(LedgerFault) -> Query {
        let bounds = issuedAt == nil ? "" : "AND id >= invoice_id($9) AND id < invoice_id($9 + 1)"
        return Query(
            """
            WITH settled AS (
                UPDATE invoice SET settled_at = $6, received = $7, preimage = $8
                WHERE id = (
                    SELECT id FROM invoice WHERE payment_hash = $1 AND backend = $5 AND settled_at IS NULL \(bounds)
                    ORDER BY id DESC LIMIT 1
                ) AND settled_at IS NULL
                RETURNING account, settled_at
            ), \(whatFollows) SELECT 1 FROM settled
            """,
            of: work(of: paymentHash) + [.text(backend.description)] + (try settlement.values())
                + (try issuedAt.map { time throws(LedgerFault) in [try .time(time)] } ?? []))
    }

    /// Adds the invoice of a payment to a node's own offer, unless it is known.
    private static func adding(_ invoice: IssuedInvoice) throws(LedgerFault) -> Query {
        Query(
            """
            WITH settled AS (
                INSERT INTO invoice (id, payment_hash, account, \(IssuedInvoice.others))
                SELECT invoice_id($11) | nextval('invoice_sequence'), $1, \(AccountID.number("$5", "$6")),
                    $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25
                WHERE NOT EXISTS (SELECT 1 FROM invoice WHERE payment_hash = $1)
                RETURNING account, settled_at
            ), \(whatFollows) SELECT 1 FROM settled
            """, of: work(of: invoice.paymentHash) + (try invoice.values().dropFirst()))
    }

    /// The work that follows from a settlement, and its count. The work is due at once, even when the node's clock is
    /// ahead.
    private static let whatFollows = """
        counted AS (
            UPDATE settlement_total SET count = count + (SELECT count(*) FROM settled)
            WHERE EXISTS (SELECT 1 FROM settled)
        ), told AS (
            INSERT INTO outbox_entry (work_id, kind, account, payload, created_at, due_at)
            SELECT DISTINCT CASE listener.kind WHEN $3::text THEN $2::text ELSE 'owner-' || encode($1, 'hex') END,
                listener.kind, settled.account, $4::bytea, settled.settled_at,
                least(settled.settled_at, extract(epoch FROM statement_timestamp())::bigint)
            FROM settled JOIN settlement_listener AS listener
                ON coalesce(listener.account, 0) IN (0, settled.account)
            ON CONFLICT (work_id) DO NOTHING
        )
        """

    /// The hash, and the work's id, kind and payload.
    private static func work(of paymentHash: PaymentHash) -> [StoredValue] {
        [
            .blob(paymentHash.bytes), .text("payment-" + paymentHash.hexadecimal),
            .text(OutboxKind.settlementWebhook.rawValue),
            .blob(Array("{\"paymentHash\":\"\(paymentHash.hexadecimal)\"}".utf8)),
        ]
    }
}
