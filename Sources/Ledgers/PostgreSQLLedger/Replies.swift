package import ResponderModel
import LedgerRecords
import Platform

/// Replies of devices, handed from instance to instance. The row says who expects a reply; that somebody is told of it is
/// only a hint.
extension ServerLedger: SharedReplies {
    package var sharedReplies: (any SharedReplies)? { self }

    package func expect(_ digest: ReplyDigest, within time: Duration) async throws(LedgerFault) {
        try await change(
            """
            INSERT INTO expected_reply (digest, channel, until)
            VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3::bigint)) ON CONFLICT DO NOTHING
            """, [.blob(digest.bytes), .text(replyWatch.channel), .integer(time.components.seconds + 1)])
    }

    package func forget(_ digest: ReplyDigest) async throws(LedgerFault) {
        try await change("DELETE FROM expected_reply WHERE digest = $1", [.blob(digest.bytes)])
    }

    package func hand(_ reply: DeviceReply, for digest: ReplyDigest) async throws(LedgerFault) -> Bool {
        try await change(
            """
            WITH taken AS (
                UPDATE expected_reply SET body = $2, max_age = $3
                WHERE digest = $1 AND body IS NULL AND until > clock_timestamp() RETURNING channel
            )
            SELECT pg_notify(channel, '') FROM taken
            """,
            [.blob(digest.bytes), .blob(reply.body), reply.maxAge.map { .integer(Int64(clamping: $0)) } ?? .null]) > 0
    }

    /// What others have handed over. Looks once a second, since nothing is heard while a connection is lost.
    package func handedOver() async throws(LedgerFault) -> [HandedReply] {
        let waiting = replyWatch.waiting()
        repeat {
            let found = try await write(
                "DELETE FROM expected_reply WHERE channel = $1 AND body IS NOT NULL RETURNING digest, body, max_age",
                [.text(replyWatch.channel)]
            ) { row throws(LedgerFault) in
                let digest = try row.blob("digest") { ReplyDigest($0) }
                let body = try row.blob("body")
                return HandedReply(
                    DeviceReply(body, maxAge: try row.isNull("max_age") ? nil : row.unsigned("max_age")), for: digest)
            }
            if !found.isEmpty { return found }
        } while await waiting.isWoken()
        return []
    }
}
