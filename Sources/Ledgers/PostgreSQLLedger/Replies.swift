import LedgerRecords
import LightningCoding
import Platform
package import ResponderModel

/// Replies of devices, handed from instance to instance. The row says who expects a reply; that somebody is told of it is
/// only a hint.
extension ServerLedger: SharedReplies {
    /// This ledger.
    package var sharedReplies: (any SharedReplies)? { self }

    /// Notes that a reply is expected here.
    package func expect(_ digest: ReplyDigest, within time: Duration) async throws(LedgerFault) {
        try await write(
            Query(
                """
                INSERT INTO expected_reply (digest, channel, until)
                VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3::bigint)) ON CONFLICT DO NOTHING
                """, [.blob(digest.bytes), .text(replyWatch.channel), .integer(time.components.seconds + 1)]))
    }

    /// Notes that a reply is expected no longer.
    package func forget(_ digest: ReplyDigest) async throws(LedgerFault) {
        try await write(Query("DELETE FROM expected_reply WHERE digest = $1", [.blob(digest.bytes)]))
    }

    /// Hands a reply to the instance that expects it, and tells it.
    package func hand(_ reply: DeviceReply, for digest: ReplyDigest) async throws(LedgerFault) -> Bool {
        let sets = try await write(
            Query(
                """
                WITH taken AS (
                    UPDATE expected_reply SET body = $2, max_age = $3
                    WHERE digest = $1 AND body IS NULL AND until > clock_timestamp() RETURNING channel
                )
                SELECT pg_notify(channel, '') FROM taken
                """,
                [.blob(digest.bytes), .blob(reply.body), reply.maxAge.map { .integer(Int64(clamping: $0)) } ?? .null]))
        return sets[0].count > 0
    }

    /// What others have handed over. Looks once a second, since nothing is heard while a connection is lost.
    package func handedOver() async throws(LedgerFault) -> [HandedReply] {
        let waiting = replyWatch.waiting()
        repeat {
            let sets = try await write(
                Query(
                    """
                    DELETE FROM expected_reply WHERE channel = $1 AND body IS NOT NULL RETURNING digest, body, max_age
                    """, [.text(replyWatch.channel)]))
            let found = try await LedgerFault.asking(
                try sets[0].rows { row throws(StorageFault) in
                    HandedReply(
                        DeviceReply(try row.blob(1), maxAge: row.isNull(2) ? nil : try row.unsigned(2)),
                        for: try row.blob(0) { ReplyDigest($0) })
                })
            if !found.isEmpty { return found }
        } while await waiting.isWoken()
        return []
    }

    /// Those that nobody expects any longer: an instance has ended without forgetting them.
    static let forgettingReplies = Query(
        "DELETE FROM expected_reply WHERE until < clock_timestamp() - interval '1 minute'")
}
