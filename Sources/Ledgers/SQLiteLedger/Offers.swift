package import Bolt12
import LNURL
import LedgerRecords
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Stores an offer, unless it exists.
    package func putOffer(_ offer: IssuedOffer) async throws(LedgerFault) -> IssuedOffer {
        try await write { connection throws(StorageFault) in
            try connection.run(
                """
                INSERT INTO offer (offer_id, account, \(IssuedOffer.others))
                VALUES (?1, \(AccountID.number("?2", "?3")), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                ON CONFLICT (offer_id) DO UPDATE SET backend = excluded.backend, node_id = excluded.node_id
                WHERE backend IS NULL AND account = excluded.account
                """,
                try offer.values()
            )
            if offer.origin == .imported { try connection.countAccountsRevision() }
            guard let written = try connection.offer(offer.offer.id) else { throw .corrupt("an offer is gone") }
            return written
        }
    }

    /// The offer of that id, or nil.
    package func offer(_ id: OfferID) async throws(LedgerFault) -> IssuedOffer? {
        try await read { connection throws(StorageFault) in try connection.offer(id) }
    }

    /// The offers of an account, or of all, newest first.
    package func offers(of account: AccountID?) async throws(LedgerFault) -> [IssuedOffer] {
        try await read { connection throws(StorageFault) in
            try connection.rows(
                """
                SELECT \(IssuedOffer.columns) FROM offer
                WHERE ?1 IS NULL OR account = \(AccountID.number("?1", "?2")) ORDER BY id DESC
                """,
                account?.values() ?? [.null, .null], read: IssuedOffer.init
            )
        }
    }

    /// Disables an offer; one already disabled keeps its time.
    package func disableOffer(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in
            try connection.run(
                "UPDATE offer SET disabled_at = coalesce(disabled_at, ?2) WHERE offer_id = ?1",
                [.blob(id.bytes), try .time(now)]
            ) > 0
        }
    }

    /// Records that the node has disabled its offer; an earlier record is kept.
    package func noteDisabledAtNode(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in
            try connection.run(
                "UPDATE offer SET disabled_at_node_at = coalesce(disabled_at_node_at, ?2) WHERE offer_id = ?1",
                [.blob(id.bytes), try .time(now)]
            ) > 0
        }
    }
}

extension LedgerDatabase {
    /// Why no more invoices may be issued for an offer; nil when they may.
    package func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault? {
        try await read { connection throws(StorageFault) in try connection.obstacle(to: claim, at: now) }
    }
}

extension Connection {
    func offer(_ id: OfferID) throws(StorageFault) -> IssuedOffer? {
        try first(
            "SELECT \(IssuedOffer.columns) FROM offer WHERE offer_id = ?1", [.blob(id.bytes)], read: IssuedOffer.init
        )
    }

    /// Why no further invoice may be given out for an offer. An invoice that can still be paid counts like a payment, and so does
    /// one that could, for `OfferClaim.grace` and until its node has been followed beyond its time: else two payers could pay an
    /// offer that is good for one.
    func obstacle(to claim: OfferClaim, at now: UnixTime) throws(StorageFault) -> LedgerFault? {
        guard let issued = try offer(claim.offer) else { return .unknownOffer }
        guard issued.disabledAt == nil else { return .offerDisabled }
        if let request = claim.request, try isAnswered(request, at: now) { return .requestAnswered }
        guard let maximum = issued.maximumPayments else { return nil }
        let taken = try first(
            """
            SELECT count(*) FROM invoice LEFT JOIN followed_span ON followed_span.backend = invoice.backend
            WHERE invoice.offer = ?1
                AND (invoice.settled_at IS NOT NULL OR invoice.expires_at > min(?2, coalesce(followed_span.until, 0)))
            """,
            [.blob(claim.offer.bytes), try .time(UnixTime(now.seconds(since: UnixTime(OfferClaim.grace))))]
        ) { row throws(StorageFault) in
            try row.unsigned(0)
        }
        return (taken ?? 0) >= maximum ? .offerExhausted : nil
    }
}
