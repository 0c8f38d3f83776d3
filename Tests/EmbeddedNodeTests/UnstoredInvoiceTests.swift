import LedgerRecords
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
import Waiting
@testable import EmbeddedNode

@Suite("Invoices stored after they were issued", .timeLimit(.minutes(5)))
struct UnstoredInvoiceTests {
    private let fixture = NodeFixture()

    @Test("After one could not be stored no other is made, until the first is stored")
    func failure() async throws {
        let node = try await fixture.start()
        let other = try Connection(path: fixture.databasePath, access: .writing)
        _ = try await node.createInvoice(.sample())
        try await node.unstored.store()
        try other.script("ALTER TABLE node_invoice RENAME TO away")
        let lost = try await node.createInvoice(.sample("lost")).paymentHash
        await #expect(throws: BackendFault.self) { try await node.cancel(lost) }
        for _ in 0..<2 { await #expect(throws: BackendFault.self) { try await node.createInvoice(.sample()) } }
        try other.script("ALTER TABLE away RENAME TO node_invoice")
        let next = try await node.createInvoice(.sample("next")).paymentHash
        #expect(try await node.status(of: lost) == .open)
        #expect(try await node.status(of: next) == .open)
    }

    @Test("None is made by a node that was closed")
    func closed() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(.sample())
        await node.close()
        for _ in 0..<2 {
            await #expect(throws: BackendFault.storage(LedgerFault.closed.reason)) {
                try await node.createInvoice(.sample())
            }
        }
    }

    @Test("Those of 20 ms are stored in one write")
    func together() async throws {
        let (database, clock) = (try await database(), ManualClock())
        let invoices = UnstoredInvoices(database, clock: clock.clock)
        for round in 1...2 {
            for number in 1...3 { try await invoices.add(Self.invoice(10 * round + number)) }
            try await clock.waitForSleepers(1)
            clock.advance(by: .milliseconds(19))
            #expect(clock.sleepers == 1)
            #expect(database.statistics.writes == round - 1)
            clock.advance(by: .milliseconds(1))
            try await eventually { database.statistics.writes >= round }
            #expect(database.statistics.writes == round)
            #expect(try await count(in: database) == 3 * Int64(round))
        }
    }

    @Test("All who want them stored share one write")
    func shared() async throws {
        let (database, asking) = (try await database(), Guarded(0))
        let invoices = UnstoredInvoices(database, clock: ManualClock().clock)
        let other = try Connection(path: fixture.databasePath, access: .writing)
        try other.script("BEGIN IMMEDIATE")
        try await invoices.add(Self.invoice(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    asking.withLock { $0 += 1 }
                    try await invoices.store()
                }
            }
            try await eventually { asking.withLock { $0 } == 8 }
            try other.script("COMMIT")
            try await group.waitForAll()
        }
        await database.close()
        #expect(database.statistics.writes == 1)
    }

    @Test("One that is added during a write is stored by the next")
    func next() async throws {
        let database = try await database()
        let invoices = UnstoredInvoices(database, clock: ManualClock().clock)
        let other = try Connection(path: fixture.databasePath, access: .writing)
        try other.script("BEGIN IMMEDIATE")
        try await invoices.add(Self.invoice(1))
        let first = Task.startingHere { try? await invoices.store() }
        try await invoices.add(Self.invoice(2))
        let second = Task.startingHere { try? await invoices.store() }
        try other.script("COMMIT")
        await second.value
        #expect(try await count(in: database) == 2)
        await first.value
    }

    @Test("What is accepted while the node closes is stored")
    func acceptedMeanwhile() async throws {
        let database = try await database()
        let invoices = UnstoredInvoices(database, clock: ManualClock().clock)
        let other = try Connection(path: fixture.databasePath, access: .writing)
        try other.script("BEGIN IMMEDIATE")
        try await invoices.add(Self.invoice(0))
        let closing = Task { await invoices.close() }
        var accepted = 1
        try await eventually {
            let invoice = try Self.invoice(accepted)
            do throws(BackendFault) {
                try await invoices.add(invoice)
            } catch {
                return error == .storage(LedgerFault.closed.reason)
            }
            accepted += 1
            return false
        }
        try other.script("COMMIT")
        await closing.value
        #expect(try await count(in: database) == Int64(accepted))
    }

    @Test("Closing the node stores what is left")
    func closing() async throws {
        let node = try await fixture.start()
        let last = try await node.createInvoice(.sample()).paymentHash
        await node.close()
        #expect(try await fixture.start().status(of: last) == .open)
    }

    @Test("While too many wait, further ones are refused")
    func bounded() async throws {
        let invoices = UnstoredInvoices(try await database(), clock: ManualClock().clock, maximumCount: 2)
        for number in 1...2 { try await invoices.add(Self.invoice(number)) }
        await #expect(throws: BackendFault.overloaded) { try await invoices.add(Self.invoice(3)) }
        try await invoices.store()
        try await invoices.add(Self.invoice(3))
    }

    private func database() async throws -> Database {
        await (try await fixture.start()).close()
        return try await Database.open(at: fixture.databasePath, timeout: .seconds(60))
    }

    private func count(in database: Database) async throws -> Int64? {
        try await database.read { connection throws(LedgerFault) in
            try connection.first("SELECT count(*) FROM node_invoice") { row throws(LedgerFault) in try row.integer(0) }
        }
    }

    private static func invoice(_ number: Int) throws -> NewNodeInvoice {
        try NewNodeInvoice(
            preimage: Preimage(SHA256.hash("\(number)".utf8)), label: "", amount: Millisatoshi(1),
            expiresAt: UnixTime(1_790_000_000))
    }
}
