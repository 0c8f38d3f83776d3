import Bolt12
import LedgerRecords
package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

extension LedgerDatabase {
    /// Stores a settlement and the backend's cursor in one transaction.
    package func record(
        _ settlement: Settlement,
        issuedAt: UnixTime?,
        from backend: BackendName,
        under lease: Lease
    ) async throws(LedgerFault) -> IssuedInvoice? {
        let invoice = try await write(under: lease) { connection throws(StorageFault) -> IssuedInvoice? in
            let isSettled = try connection.settle(
                settlement.paymentHash, of: backend,
                RecordedSettlement(settlement))
            try connection.move(backend, to: settlement.cursor)
            let isAdded = isSettled ? false : try connection.addOffered(settlement, from: backend)
            return isSettled || isAdded ? try connection.invoice(settlement.paymentHash) : nil
        }
        return told(invoice)
    }

    /// Stores a settlement without moving the backend's cursor.
    package func record(
        _ settlement: RecordedSettlement,
        of paymentHash: PaymentHash,
        issuedAt: UnixTime?,
        from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice? {
        let invoice = try await write { connection throws(StorageFault) in
            try connection.settle(paymentHash, of: backend, settlement) ? try connection.invoice(paymentHash) : nil
        }
        return told(invoice)
    }

    /// Notifies the observers of a settlement, which is durable.
    private func told(_ invoice: IssuedInvoice?) -> IssuedInvoice? {
        if let invoice { observers.tell(.settled(invoice)) }
        return invoice
    }

    /// Moves the backend's cursor only.
    package func pass(
        to cursor: SettlementCursor, of backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(StorageFault) in try connection.move(backend, to: cursor) }
    }

    /// Moves the backend's cursor past a payment that cannot be read, and records that.
    package func pass(
        over skipped: UnreadableSettlement, of backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(StorageFault) in
            _ = try connection.run(SkippedSettlements.add, skipped.values(of: backend, at: now))
            try connection.move(backend, to: skipped.cursor)
        }
    }

    /// The payments that were passed over, the newest first.
    package func skippedSettlements(limit: Int) async throws(LedgerFault) -> [SkippedSettlement] {
        try await read { connection throws(StorageFault) in
            try connection.rows(SkippedSettlements.newest, [.integer(Int64(clamping: limit))]) {
                row throws(StorageFault) in try SkippedSettlement(row)
            }
        }
    }

    /// Deletes the backend's cursor.
    package func forgetCursor(of backend: BackendName, under lease: Lease) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(StorageFault) in
            _ = try connection.run(
                "DELETE FROM settlement_cursor WHERE backend = ?1", [.text(backend.description)])
        }
    }

    /// The cursor after the last stored settlement of a backend.
    package func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                "SELECT cursor FROM settlement_cursor WHERE backend = ?1", [.text(backend.description)]
            ) { row throws(StorageFault) in
                SettlementCursor(try row.text(0))
            }
        }
    }
}

extension Connection {
    /// Settles an invoice of the backend; false when it does not exist or is already settled.
    fileprivate func settle(
        _ paymentHash: PaymentHash, of backend: BackendName, _ settlement: RecordedSettlement
    ) throws(StorageFault) -> Bool {
        let isSettled =
            try run(
                """
                UPDATE invoice SET settled_at = ?3, received = ?4, preimage = ?5
                WHERE payment_hash = ?1 AND backend = ?2 AND settled_at IS NULL
                """,
                [.blob(paymentHash.bytes), .text(backend.description)] + settlement.values()
            ) > 0
        if isSettled { try addWhatFollows(fromSettlementOf: paymentHash) }
        return isSettled
    }

    fileprivate func move(_ backend: BackendName, to cursor: SettlementCursor) throws(StorageFault) {
        try run(
            """
            INSERT INTO settlement_cursor (backend, cursor) VALUES (?1, ?2)
            ON CONFLICT (backend) DO UPDATE SET cursor = excluded.cursor
            """,
            [.text(backend.description), .text(cursor.text)]
        )
    }

    /// Adds the invoice of a payment to a node's own offer, unless the offer is unknown or the invoice exists.
    fileprivate func addOffered(_ settlement: Settlement, from backend: BackendName) throws(StorageFault) -> Bool {
        guard let offered = settlement.offered, try invoice(settlement.paymentHash) == nil,
            let offer = try offer(offered.offer), offer.origin == .node,
            // Only the node that made it can report its payments.
            offer.maker.map({ $0.backend == backend }) ?? true
        else { return false }
        try run(
            IssuedInvoice.insertion,
            try IssuedInvoice(settlement, by: offered, for: offer.account, from: backend).values()
        )
        try addWhatFollows(fromSettlementOf: settlement.paymentHash)
        return true
    }
}

extension LedgerDatabase {
    /// Extends the followed span of a backend or starts a new one.
    package func noteFollowing(
        _ backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) {
        let name = Value.text(backend.description)
        try await write(under: lease) { connection throws(StorageFault) in
            let span =
                try connection.followedSpan(of: name)?.continued(at: now) ?? FollowedSpan(since: now, until: now)
            try connection.run(
                """
                INSERT INTO followed_span (backend, since, until) VALUES (?1, ?2, ?3)
                ON CONFLICT (backend) DO UPDATE SET since = excluded.since, until = excluded.until
                """,
                [name, try .time(span.since), try .time(span.until)]
            )
        }
    }

    package func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan? {
        let name = Value.text(backend.description)
        return try await read { connection throws(StorageFault) in try connection.followedSpan(of: name) }
    }
}

extension Connection {
    fileprivate func followedSpan(of name: Value) throws(StorageFault) -> FollowedSpan? {
        try first("SELECT since, until FROM followed_span WHERE backend = ?1", [name]) { row throws(StorageFault) in
            FollowedSpan(since: try row.time(0), until: try row.time(1))
        }
    }
}
