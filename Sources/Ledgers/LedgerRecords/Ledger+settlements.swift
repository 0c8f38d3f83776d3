package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

extension SQLLedger {
    package func record(
        _ settlement: Settlement, issuedAt: UnixTime?, from backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) -> IssuedInvoice? {
        var offered: IssuedInvoice?
        if let payment = settlement.offered, let offer = try await offer(payment.offer), offer.origin == .node,
            // Only the node that made it can report its payments.
            offer.maker.map({ $0.backend == backend }) ?? true
        {
            let invoice = IssuedInvoice(settlement, by: payment, for: offer.account, from: backend)
            // Payments that are read again, of days whose tables are gone, are known.
            if try await self.invoice(settlement.paymentHash) == nil {
                try await makePartition(for: invoice.createdAt)
            }
            offered = invoice
        }
        var attempt = 1
        while true {
            do throws(LedgerFault) {
                return told(
                    try await write(under: lease) { [offered] connection throws(LedgerFault) in
                        var settled = try connection.settle(
                            settlement.paymentHash, issuedAt, of: backend, RecordedSettlement(settlement))
                        if settled == nil, let offered { settled = try connection.addSettled(offered) }
                        try connection.move(backend, to: settlement.cursor)
                        return try connection.addJobs(following: settled)
                    })
            } catch .duplicateInvoice where attempt < Self.attempts {
                // Its id was another invoice's, or somebody has added it at the same moment: then it is known next time.
                attempt += 1
            }
        }
    }

    /// How many ids are tried for an invoice: in PostgreSQL those of a second repeat after a million.
    private static var attempts: Int { 5 }

    package func record(
        _ settlement: RecordedSettlement, of paymentHash: PaymentHash, issuedAt: UnixTime?, from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice? {
        told(
            try await write { connection throws(LedgerFault) in
                try connection.addJobs(following: connection.settle(paymentHash, issuedAt, of: backend, settlement))
            })
    }

    /// Notifies the observers of a settlement, which is durable.
    private func told(_ invoice: IssuedInvoice?) -> IssuedInvoice? {
        if let invoice { observers.tell(.settled(invoice)) }
        return invoice
    }

    package func pass(
        to cursor: SettlementCursor, of backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(LedgerFault) in try connection.move(backend, to: cursor) }
    }

    package func pass(
        over skipped: UnreadableSettlement, of backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(LedgerFault) in
            try connection.run(
                """
                INSERT INTO skipped_settlement (digest, backend, payment_hash, cursor, reason, skipped_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (digest) DO UPDATE SET reason = excluded.reason, skipped_at = excluded.skipped_at
                """, skipped.values(of: backend, at: now))
            if let cursor = skipped.cursor { try connection.move(backend, to: cursor) }
        }
    }

    package func skippedSettlements(limit: Int) async throws(LedgerFault) -> [SkippedSettlement] {
        try await rows(
            """
            SELECT backend, payment_hash, cursor, reason, skipped_at FROM skipped_settlement
            WHERE payment_hash IS NULL OR NOT EXISTS (
                SELECT 1 FROM invoice
                WHERE invoice.payment_hash = skipped_settlement.payment_hash AND invoice.settled_at IS NOT NULL)
            ORDER BY skipped_at DESC, digest LIMIT $1
            """, [.integer(Int64(clamping: limit))], SkippedSettlement.init)
    }

    package func forgetCursor(of backend: BackendName, under lease: Lease) async throws(LedgerFault) {
        try await change(
            under: lease, "DELETE FROM settlement_cursor WHERE backend = $1", [.text(backend.description)])
    }

    package func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor? {
        try await first("SELECT cursor FROM settlement_cursor WHERE backend = $1", [.text(backend.description)]) {
            row throws(LedgerFault) in
            SettlementCursor(try row.text("cursor"))
        }
    }

    package func noteFollowing(
        _ backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) {
        try await change(
            under: lease,
            """
            INSERT INTO followed_span (backend, since, until) VALUES ($1, $2, $2)
            ON CONFLICT (backend) DO UPDATE SET until = excluded.until, since = CASE
                WHEN abs(excluded.until - followed_span.until) > $3 THEN excluded.since
                ELSE followed_span.since END
            """,
            [.text(backend.description), .time(now), .unsigned(FollowedSpan.longestPause)])
    }

    package func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan? {
        try await first("SELECT since, until FROM followed_span WHERE backend = $1", [.text(backend.description)]) {
            row throws(LedgerFault) in
            FollowedSpan(since: try row.time("since"), until: try row.time("until"))
        }
    }

    /// Stores the first node of that name and rejects every other.
    package func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault) {
        var known = try await read { connection throws(LedgerFault) in try connection.node(of: backend) }
        if known == nil {
            known = try await write { connection throws(LedgerFault) in
                try connection.run(
                    "INSERT INTO backend_node (backend, node_id) VALUES ($1, $2) ON CONFLICT (backend) DO NOTHING",
                    [.text(backend.description), .blob(node.bytes)])
                return try connection.node(of: backend)
            }
        }
        if let known, known != node { throw .anotherNode(known) }
    }

    package func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool {
        try await write { connection throws(LedgerFault) in
            var count = 0
            for table in ["settlement_cursor", "followed_span", "backend_node"] {
                count += try connection.changes(
                    "DELETE FROM \(table) WHERE backend = $1", [.text(backend.description)])
            }
            return count > 0
        }
    }
}

/// An invoice once it is settled, and what decides on the jobs that follow.
private struct SettledInvoice {
    let invoice: IssuedInvoice
    let listeners: SettlementListeners
    /// The ledger's time.
    let now: UnixTime

    static func columns(now: String) -> String {
        """
        \(IssuedInvoice.columns), \(now) AS now, (SELECT tells_all FROM settlement_total) AS tells_all,
            (SELECT settings FROM account WHERE account.id = invoice.account AND is_removed = 0) AS settings
        """
    }

    init(_ row: some StoredRow) throws(LedgerFault) {
        invoice = try IssuedInvoice(row)
        listeners = SettlementListeners(
            ofAccount: try row.optionalText("settings"), tellingAll: try row.integer("tells_all") != 0)
        now = try row.time("now")
    }
}

extension LedgerConnection {
    /// Settles an invoice of the backend; nil when it does not exist or is already settled.
    ///
    /// - Parameter issuedAt: leads to its partition; without it all are searched.
    fileprivate func settle(
        _ paymentHash: PaymentHash, _ issuedAt: UnixTime?, of backend: BackendName, _ settlement: RecordedSettlement
    ) throws(LedgerFault) -> SettledInvoice? {
        var values = [.blob(paymentHash.bytes), .text(backend.description)] + (try settlement.values())
        let bounds = issuedAt == nil ? "" : Self.issued(at: "$6")
        if let issuedAt, !bounds.isEmpty { values.append(try .time(issuedAt)) }
        return try first(
            """
            UPDATE invoice SET settled_at = $3, received = $4, preimage = $5
            WHERE id = (
                SELECT id FROM invoice WHERE payment_hash = $1 AND backend = $2 AND settled_at IS NULL \(bounds)
                ORDER BY id DESC LIMIT 1
            ) AND settled_at IS NULL
            RETURNING \(SettledInvoice.columns(now: Self.now))
            """, values, SettledInvoice.init)
    }

    /// Adds the invoice of a payment to a node's own offer, unless it is known.
    fileprivate func addSettled(_ invoice: IssuedInvoice) throws(LedgerFault) -> SettledInvoice? {
        guard try !exists("SELECT 1 FROM invoice WHERE payment_hash = $1", [.blob(invoice.paymentHash.bytes)]) else {
            return nil
        }
        return try first(
            Self.addingInvoice + " RETURNING " + SettledInvoice.columns(now: Self.now), invoice.values(),
            SettledInvoice.init)
    }

    /// Adds what follows from a settlement, and counts it. It is due at once, even when the node's clock is ahead.
    fileprivate func addJobs(following settled: SettledInvoice?) throws(LedgerFault) -> IssuedInvoice? {
        guard let settled, let settlement = settled.invoice.settlement else { return nil }
        for job in jobs(following: settled.invoice, for: settled.listeners) {
            let dueAt = min(settlement.settledAt, settled.now)
            try add(OutboxWork(job, at: settlement.settledAt, dueAt: dueAt), heldBy: nil)
        }
        try run("UPDATE settlement_total SET count = count + 1")
        return settled.invoice
    }

    package func move(_ backend: BackendName, to cursor: SettlementCursor) throws(LedgerFault) {
        try run(
            """
            INSERT INTO settlement_cursor (backend, cursor) VALUES ($1, $2)
            ON CONFLICT (backend) DO UPDATE SET cursor = excluded.cursor
            """, [.text(backend.description), .text(cursor.text)])
    }

    fileprivate func node(of backend: BackendName) throws(LedgerFault) -> PublicKey? {
        try first("SELECT node_id FROM backend_node WHERE backend = $1", [.text(backend.description)]) {
            row throws(LedgerFault) in
            try row.blob("node_id") { try PublicKey($0) }
        }
    }
}

extension UnreadableSettlement {
    /// Repeated reports of one payment are one row.
    package func values(of backend: BackendName, at now: UnixTime) throws(LedgerFault) -> [StoredValue] {
        let place = "\(backend)\n\(cursor?.text ?? "")\n".utf8
        return [
            .blob(SHA256.hash(Array(place) + (paymentHash?.bytes ?? []))), .text(backend.description),
            .optionalBlob(paymentHash?.bytes), .text(cursor?.text ?? ""), .text(reason.printable), try .time(now),
        ]
    }
}

extension SkippedSettlement {
    package init(_ row: some StoredRow) throws(LedgerFault) {
        let place = try row.text("cursor")
        self.init(
            backend: try row.text("backend") { BackendName($0) },
            paymentHash: try row.optionalBlob("payment_hash") { try PaymentHash($0) }, reason: try row.text("reason"),
            cursor: place.isEmpty ? nil : SettlementCursor(place), skippedAt: try row.time("skipped_at"))
    }
}
