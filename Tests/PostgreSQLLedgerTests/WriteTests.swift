import LedgerContract
import LedgerRecords
import LightningCoding
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing
import Waiting

@Suite(
    "A write to a ledger on a server", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct WriteTests {
    @Test("that throws has written nothing, whether something was sent before or not", arguments: [true, false])
    func throwing(_ isSent: Bool) async throws {
        let ledger = try await ServerLedger.anew(lanes: 1)
        await #expect(throws: LedgerFault.otherKeys) {
            try await ledger.write { connection throws(LedgerFault) in
                try connection.run("INSERT INTO settlement_cursor (backend, cursor) VALUES ('a', '')", [])
                if isSent {
                    let isThere = try connection.exists(
                        "SELECT 1 FROM settlement_cursor WHERE backend = $1", [.text("a")])
                    #expect(isThere)
                }
                throw .otherKeys
            }
        }
        // The same connection.
        let isThere = try await ledger.write { connection throws(LedgerFault) in
            try connection.exists("SELECT 1 FROM settlement_cursor WHERE backend = $1", [.text("a")])
        }
        #expect(!isThere)
    }

    @Test("Its statements are sent in their order, and one that fails undoes all, also the last")
    func failing() async throws {
        let ledger = try await ServerLedger.anew(lanes: 1)
        func add(_ keys: [Int64]) async -> LedgerFault? {
            do throws(LedgerFault) {
                try await ledger.write { connection throws(LedgerFault) in
                    for key in keys {
                        try connection.run(
                            "INSERT INTO kept_name (id, domain, name, since) VALUES ($1, $1, 'a', 0)", [.integer(key)])
                        _ = try connection.changes("UPDATE kept_name SET since = 1 WHERE id = $1", [.integer(key)])
                    }
                    try connection.run(
                        "INSERT INTO kept_name (id, domain, name, since) VALUES ($1, $1, 'b', 0)", [.integer(9)])
                }
                return nil
            } catch {
                return error
            }
        }
        try await ledger.put("alice")
        let constraint = LedgerFault.unstorable("a row would break a rule: kept_name_domain_fkey")
        #expect(await add([1, 2]) == constraint)
        #expect(await add([1]) == constraint)
        #expect(await add([]) == constraint)
        #expect(try await ledger.reservedNames() == [])
    }

    /// What a call returns for which another transaction, which has written before it, is committed once it waits.
    private func outcome<Value: Sendable>(
        behind queries: [Query], in settings: ServerSettings, _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let database = try await Database.open(settings, lanes: 1)
        defer { database.close() }
        let calling = try await database.transaction(.writing, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run(queries)
            let calling = Task { try await call() }
            let waiting = Query(
                "SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid")
            try? await eventually { try await transaction.run(waiting).count == 1 }
            return calling
        }
        return try await calling.value
    }

    @Test("that stores how far a device has caught up waits for one who confirms its messages, and sees it")
    func confirmedMeanwhile() async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings)
        let device = try await ledger.putDevice(1, of: 1, at: 1).id
        let sequence = try await ledger.add(Sample.message(1, of: 1)).sequence
        let state = CatchUpState(stored: .init(sequence: sequence, expires: Sample.start.adding(seconds: 60)))
        let confirming = [
            Query("DELETE FROM device_pending"), Query("UPDATE device SET last_contact = last_contact"),
        ]
        let isKept = try await outcome(behind: confirming, in: settings) {
            try await ledger.keep(state, of: device, replacing: CatchUpState(), whilePending: sequence)
        }
        #expect(!isKept)
        #expect(try await ledger.device(device)?.catchUp == CatchUpState())
        await ledger.close()
    }

    @Test("that removes what was not renewed leaves a registration that is renewed meanwhile, and tells nobody")
    func renewedMeanwhile() async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings)
        try await ledger.put("alice")
        try await ledger.putDevice(1, of: 1, at: 1)
        try await ledger.register(Sample.registrant(1), "carol", claim: 1)
        let name = try await ledger.nameState(of: Sample.account("carol"))
        let lease = try await ledger.held(.upkeep)
        let renewing = [Query("UPDATE registration SET refreshed_at = refreshed_at + 100")]
        _ = try await outcome(behind: renewing, in: settings) {
            try await ledger.pruneRegistrations(
                RegistrationRetention(lifetime: 99), at: Sample.start.adding(seconds: 100), under: lease)
        }
        #expect(try await ledger.registration(Sample.registrant(1)) != nil)
        #expect(try await ledger.nameState(of: Sample.account("carol")) == name)
        #expect(try await ledger.outbox(OutboxQuery()).elements.isEmpty)
        let names = try await ledger.rows("SELECT 1::bigint AS one FROM kept_name") { row throws(LedgerFault) in
            try row.integer("one")
        }
        #expect(names.isEmpty)
        await ledger.close()
    }

    @Test("Columns are read by name, in whatever order; one that is missing or of another type is a fault")
    func columns() async throws {
        let ledger = try await ServerLedger.anew(lanes: 1)
        let found = try await ledger.rows("SELECT 1::bigint AS one, 'x'::text AS two, NULL::text AS three") {
            row throws(LedgerFault) in
            [
                try row.optionalText("three"), try row.text("two"), String(try row.integer("one")),
                try row.optionalText("three"),
            ]
        }
        #expect(found == [[nil, "x", "1", nil]])
        await #expect(throws: LedgerFault.corrupt("there is no column two")) {
            _ = try await ledger.rows("SELECT 1::bigint AS one") { row throws(LedgerFault) in try row.integer("two") }
        }
        await #expect(throws: LedgerFault.corrupt("unexpected value in one")) {
            _ = try await ledger.rows("SELECT 1::bigint AS one") { row throws(LedgerFault) in try row.text("one") }
        }
    }
}
