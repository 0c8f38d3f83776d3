package import Bolt12
package import ResponderModel
package import LightningCoding

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
