import LedgerRecords
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel
import TemporaryFolders
import Testing
@testable import SQLiteLedger

@Suite("The outbox in the ledger's file", .timeLimit(.minutes(5)))
struct OutboxTableTests {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/ledger.sqlite" }

    @Test("A settlement and its work are written together or not at all")
    func together() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        try await ledger.tellSettlementsOfAll(true)
        try await ledger.record(Sample.invoice(1), using: nil)
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.script(
                "CREATE TRIGGER no_work BEFORE INSERT ON outbox_entry BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        await #expect(throws: LedgerFault.self) { try await ledger.record(Sample.settlement(1), from: .embedded) }
        #expect(try await ledger.invoice(Sample.preimage(1).paymentHash)?.settlement == nil)
        #expect(try await ledger.cursor(of: .embedded) == nil)
        #expect(try await ledger.totals().settlements == 0)
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.script("DROP TRIGGER no_work")
        }
        #expect(try await ledger.record(Sample.settlement(1), from: .embedded) != nil)
        #expect(try await ledger.outbox(OutboxQuery()).elements.count == 1)
    }

    @Test("A removal and the work of telling its owner are written together or not at all")
    func removal() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        let id = try Sample.registrant(1)
        try await ledger.putDevice(1, of: 1, at: 1)
        try await ledger.register(id, "bob", claim: 1)
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.script(
                "CREATE TRIGGER no_work BEFORE INSERT ON outbox_entry BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        let claim = StatementClaim(.change, digest: SHA256.hash([1]), expiresAt: Sample.start)
        let order = RegistrationOrder(by: id, .unregister(webhook: try Sample.webhook()), claiming: [claim])
        await #expect(throws: RegistrationFault.self) {
            try await ledger.carryOut(order, under: RegistrationRules(), at: Sample.start)
        }
        #expect(try await ledger.registration(id) != nil)
    }

    @Test("Work added or settled by another process is claimed here, once each")
    func processes() async throws {
        let one = try await LedgerDatabase.open(at: path)
        let other = try await LedgerDatabase.open(at: path)
        try await one.put("alice")
        for number in UInt64(1)...100 { try await one.add(Sample.work(number), heldBy: nil) }
        let now = Sample.start.adding(seconds: 1_000)
        let taken = try await withThrowingTaskGroup(of: [OutboxID].self) { group in
            for index in 0..<20 {
                let ledger = index.isMultiple(of: 2) ? one : other
                group.addTask {
                    var taken: [OutboxID] = []
                    var claim: OutboxClaim
                    repeat {
                        claim = try await ledger.claim(
                            .notification, limit: 7, for: "\(index)", at: now, until: now.adding(seconds: 10))
                        taken += claim.work.map(\.id)
                    } while claim.nextDue.map { $0 <= now } == true
                    return taken
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.count == 100)
        #expect(Set(taken).count == 100)
    }
}

@Suite("The requests that are answered", .timeLimit(.minutes(5)))
struct AnsweredRequestTests {
    let folder = TemporaryFolder()

    @Test("The last hundred thousand are known, and none before", arguments: [(Int64(99_999), true), (100_000, false)])
    func last(_ later: Int64, isKnown: Bool) async throws {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        try await ledger.put("alice")
        let (first, second) = (RequestDigest(of: [1]), RequestDigest(of: [2]))
        let invoices = [try Sample.invoice(1), try Sample.invoice(2), try Sample.invoice(3)]
        try await ledger.record(invoices[0], using: .request(first))
        try await ledger.record(invoices[1], using: .request(second))
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.run("UPDATE answered_request SET id = $1 WHERE id = 2", [.integer(later)])
        }
        try await ledger.record(invoices[2], using: .request(RequestDigest(of: [3])))
        let now = invoices[2].createdAt
        #expect(try await ledger.answer(to: first, at: now) == (isKnown ? invoices[0] : nil))
        #expect(try await ledger.answer(to: second, at: now) == invoices[1])
    }
}
