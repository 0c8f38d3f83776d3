package import Bolt12
import LNURL
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension SQLLedger {
    package func putOffer(_ offer: IssuedOffer) async throws(LedgerFault) -> IssuedOffer {
        // The keys of imported offers are read anew by every process.
        let isImported = offer.origin == .imported
        return try await write { connection throws(LedgerFault) in
            if isImported { try connection.lock(.accounts) }
            try connection.run(
                """
                INSERT INTO offer (offer_id, account, \(IssuedOffer.others))
                VALUES ($1, \(AccountID.number("$2", "$3")), $4, $5, $6, $7, $8, $9, $10, $11)
                ON CONFLICT (offer_id) DO UPDATE SET backend = excluded.backend, node_id = excluded.node_id
                WHERE offer.backend IS NULL AND offer.account = excluded.account
                """, offer.values())
            if isImported { try connection.countAccountsRevision() }
            guard let written = try connection.offer(offer.offer.id) else { throw .corrupt("an offer is gone") }
            return written
        }
    }

    package func offer(_ id: OfferID) async throws(LedgerFault) -> IssuedOffer? {
        try await read { connection throws(LedgerFault) in try connection.offer(id) }
    }

    package func offers(of account: AccountID?) async throws(LedgerFault) -> [IssuedOffer] {
        let condition = account == nil ? "" : "WHERE account = \(AccountID.number("$1", "$2"))"
        return try await rows(
            "SELECT \(IssuedOffer.columns) FROM offer \(condition) ORDER BY id DESC", account?.values() ?? [],
            within: longWork, IssuedOffer.init)
    }

    package func disableOffer(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        try await note("disabled_at", of: id, at: now)
    }

    package func noteDisabledAtNode(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        try await note("disabled_at_node_at", of: id, at: now)
    }

    private func note(_ column: String, of id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        try await change(
            "UPDATE offer SET \(column) = coalesce(\(column), $2) WHERE offer_id = $1", [.blob(id.bytes), .time(now)])
            > 0
    }
}

extension LedgerConnection {
    package func offer(_ id: OfferID) throws(LedgerFault) -> IssuedOffer? {
        try first("SELECT \(IssuedOffer.columns) FROM offer WHERE offer_id = $1", [.blob(id.bytes)], IssuedOffer.init)
    }
}

extension IssuedOffer {
    /// The columns of `offer` in the order of `init(_:)`.
    package static let columns = "\(AccountID.text(in: "offer")), \(others)"

    /// The columns after the account, in the order of `values`.
    package static let others = """
        origin, records, maximum_payments, created_at, disabled_at, backend, node_id, disabled_at_node_at
        """

    /// The id, the account's name and domain, and the other columns.
    package func values() throws(LedgerFault) -> [StoredValue] {
        let most: StoredValue = if let maximumPayments { try .unsigned(maximumPayments) } else { .null }
        return [
            .blob(offer.id.bytes), .text(account.name.text), .text(account.domain.text), .text(origin.rawValue),
            .blob(offer.stream.bytes), most, try .time(createdAt), try .optionalTime(disabledAt),
            .optionalText(maker?.backend.description), .optionalBlob(maker?.nodeID.bytes),
            try .optionalTime(disabledAtNodeAt),
        ]
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            offer: try row.blob("records") { try Offer(bytes: $0) },
            account: try row.text("account") { try AccountID($0) },
            origin: try row.text("origin") { Origin(rawValue: $0) },
            maker: try Maker(row),
            maximumPayments: try row.isNull("maximum_payments") ? nil : row.unsigned("maximum_payments"),
            createdAt: try row.time("created_at"),
            disabledAt: try row.optionalTime("disabled_at"),
            disabledAtNodeAt: try row.optionalTime("disabled_at_node_at"))
    }
}

extension IssuedOffer.Maker {
    fileprivate init?(_ row: some StoredRow) throws(LedgerFault) {
        guard try !row.isNull("backend"), try !row.isNull("node_id") else { return nil }
        self.init(
            backend: try row.text("backend") { BackendName($0) }, nodeID: try row.blob("node_id") { try PublicKey($0) })
    }
}
