import LedgerContract
import LightningCoding
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing

/// What programs from before work without an account do with `outbox`, in their words.
@Suite(
    "An older program beside work without an account", .timeLimit(.minutes(2)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct FormerProgramTests {
    private let ledger: ServerLedger
    private let database: Database

    init() async throws {
        let settings = try await ServerLedger.settings()
        ledger = try await ServerLedger.open(settings)
        database = try await Database.open(settings, lanes: 1)
        try await ledger.put("alice")
        try await ledger.add(Sample.work(1), heldBy: nil)
        try await ledger.add(Sample.work(2, of: nil), heldBy: nil)
    }

    private func ids(_ sql: String, _ values: [Value] = []) async throws -> [String] {
        try await database.write(Query(sql, values))[0].rows { row throws(StorageFault) in try row.text(0) }
    }

    @Test("It lists and counts what it can read")
    func listed() async throws {
        #expect(
            try await ids(
                """
                SELECT account.name || ' ' || outbox.work_id FROM outbox LEFT JOIN account ON account.id = outbox.account
                ORDER BY outbox.id DESC
                """) == ["alice work-1"])
    }

    @Test("It adds work once, also beside work that it cannot read")
    func added() async throws {
        for id in ["work-2", "work-3", "work-3"] {
            _ = try await ids(
                """
                INSERT INTO outbox (work_id, kind, account, payload, created_at, due_at)
                SELECT $1, 'notification', account.id, '', 0, 0 FROM account ON CONFLICT (work_id) DO NOTHING RETURNING work_id
                """, [.text(id)])
        }
        let all = try await ledger.outbox(OutboxQuery()).elements
        #expect(all.map(\.id.text) == ["work-3", "work-2", "work-1"])
        #expect(all[1] == (try Sample.work(2, of: nil)))
    }

    @Test("It claims, postpones and removes what it can read, and nothing else")
    func claimed() async throws {
        let claim = """
            WITH taken AS (SELECT id FROM outbox WHERE due_at <= $1 AND parked_at IS NULL FOR UPDATE SKIP LOCKED),
                claimed AS (
                    UPDATE outbox SET held_by = 'one', attempts = attempts + 1
                    WHERE id IN (SELECT id FROM taken) RETURNING outbox.*
                )
            SELECT work_id FROM claimed AS outbox
            """
        #expect(try await ids(claim, [.integer(.max)]) == ["work-1"])
        #expect(
            try await ids(
                "UPDATE outbox SET held_by = NULL, due_at = 7 WHERE held_by IN ('one') RETURNING work_id") == ["work-1"]
        )
        #expect(try await ledger.work(Sample.work(1).id)?.state == .pending(dueAt: UnixTime(7)))
        for id in ["work-1", "work-2"] {
            _ = try await ids(
                "WITH finished AS (DELETE FROM outbox WHERE work_id = $1 RETURNING 1) SELECT '' FROM finished",
                [.text(id)])
        }
        #expect(try await ledger.outbox(OutboxQuery()).elements == [Sample.work(2, of: nil)])
    }
}
