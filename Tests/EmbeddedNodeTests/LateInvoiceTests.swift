import LightningCoding
import LightningCrypto
import ResponderModel
import SQLiteLedger
import Testing
@testable import EmbeddedNode

@Suite("Invoices stored without waiting", .timeLimit(.minutes(5)))
struct LateInvoiceTests {
    private let fixture = NodeFixture()

    @Test("After one could not be stored no other is made, until the first is stored")
    func failure() async throws {
        let node = try await fixture.start()
        let other = try Connection(path: fixture.databasePath, access: .writing)
        // The write waits until the table is gone.
        try other.script("BEGIN IMMEDIATE; ALTER TABLE node_invoice RENAME TO away")
        let lost = try await node.createInvoice(.sample("lost")).paymentHash
        try other.script("COMMIT")
        // Behind the late write.
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
        await node.close()
        for _ in 0..<2 {
            await #expect(throws: BackendFault.storage(LedgerFault.closed.reason)) {
                try await node.createInvoice(.sample())
            }
        }
    }

    @Test("While too many wait, further ones are refused")
    func bounded() async throws {
        await (try await fixture.start()).close()
        let database = try await Database.open(at: fixture.databasePath, timeout: .seconds(60))
        let invoices = LateInvoices(database, maximumWaiting: 2)
        let other = try Connection(path: fixture.databasePath, access: .writing)
        try other.script("BEGIN IMMEDIATE")
        for number in 1...2 { try await invoices.store(Self.invoice(UInt8(number))) }
        await #expect(throws: BackendFault.overloaded) { try await invoices.store(Self.invoice(3)) }
        try other.script("COMMIT")
        try await database.write { _ in }
        try await invoices.store(Self.invoice(3))
    }

    private static func invoice(_ number: UInt8) throws -> NewNodeInvoice {
        try NewNodeInvoice(
            preimage: Preimage(Array(repeating: number, count: 32)), label: "", amount: Millisatoshi(1),
            expiresAt: UnixTime(1_790_000_000))
    }
}
