package import Bolt12
import LedgerRecords
package import LightningCoding
package import ResponderModel

extension ServerLedger {
    /// Stores an offer, unless it exists.
    package func putOffer(_ offer: IssuedOffer) async throws(LedgerFault) -> IssuedOffer {
        let storing = try query(
            """
            INSERT INTO offer (offer_id, account, \(IssuedOffer.others))
            VALUES ($1, \(AccountID.number("$2", "$3")), $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (offer_id) DO UPDATE SET backend = excluded.backend, node_id = excluded.node_id
            WHERE offer.backend IS NULL AND offer.account = excluded.account
            """, offer.values())
        let reading = Query(Self.byOfferID, [.blob(offer.offer.id.bytes)])
        // The keys of imported offers are read anew by every process.
        let isImported = offer.origin == .imported
        let sets =
            isImported
            ? try await write(Self.lockAccounts, storing, Self.countRevision, Self.notify, reading)
            : try await write(storing, reading)
        let written = try await LedgerFault.asking(
            try sets.last?.first { row throws(StorageFault) in try IssuedOffer(row) })
        guard let written else { throw .corrupt("an offer is gone") }
        return written
    }

    /// The offer of that id, or nil.
    package func offer(_ id: OfferID) async throws(LedgerFault) -> IssuedOffer? {
        try await first(Self.byOfferID, [.blob(id.bytes)]) { row throws(StorageFault) in try IssuedOffer(row) }
    }

    private static let byOfferID = "SELECT \(IssuedOffer.columns) FROM offer WHERE offer_id = $1"

    /// The offers of an account, or of all, newest first.
    package func offers(of account: AccountID?) async throws(LedgerFault) -> [IssuedOffer] {
        let condition = account == nil ? "" : "WHERE account = \(AccountID.number("$1", "$2"))"
        return try await rows(
            "SELECT \(IssuedOffer.columns) FROM offer \(condition) ORDER BY id DESC", account?.values() ?? [],
            within: Self.longWork
        ) { row throws(StorageFault) in
            try IssuedOffer(row)
        }
    }

    /// Disables an offer; one already disabled keeps its time.
    package func disableOffer(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        try await note("disabled_at", of: id, at: now)
    }

    /// Records that the node has disabled its offer; an earlier record is kept.
    package func noteDisabledAtNode(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        try await note("disabled_at_node_at", of: id, at: now)
    }

    private func note(_ column: String, of id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        let sets = try await write(
            query(
                "UPDATE offer SET \(column) = coalesce(\(column), $2) WHERE offer_id = $1",
                [.blob(id.bytes), try .time(now)]))
        return sets[0].affected > 0
    }

    /// Why no more invoices may be issued for an offer; nil when they may.
    package func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault? {
        let query = try query("SELECT offer_obstacle($1, $2, $3, $4)", Self.values(of: claim, at: now))
        let code = try await first(query.sql, query.values) { row throws(StorageFault) in try row.optionalText(0) }
        guard let code = code ?? nil else { return nil }
        guard let rule = BrokenRule(rawValue: code) else { throw .corrupt("an unknown obstacle to an offer") }
        return rule.fault
    }

    static func claimOffer(_ claim: OfferClaim, at now: UnixTime) throws(LedgerFault) -> Query {
        try query("SELECT claim_offer($1, $2, $3, $4)", values(of: claim, at: now))
    }

    private static func values(of claim: OfferClaim, at now: UnixTime) throws(StorageFault) -> [Value] {
        [
            .blob(claim.offer.bytes), .optionalBlob(claim.request?.bytes), try .time(now),
            try .unsigned(OfferClaim.grace),
        ]
    }
}
