import LedgerRecords
import EmbeddedNode
import LedgerContract
import Platform
import ResponderModel
import Testing
import Waiting
@testable import ResponderCore

extension FollowerTests {
    @Test("A node whose count was reset is reported, queried about our invoices, and followed from its beginning")
    func countsAnew() async throws {
        let (one, two, three) = (try await invoice(), try await invoice(), try await invoice())
        try await fixture.ledger.bind(.embedded, to: try await fixture.node.nodeInfo().nodeID)
        try await fixture.ledger.pass(to: SettlementCursor("100"), of: .embedded)
        try await fixture.node.settle(one, at: fixture.now)
        try await fixture.node.settle(two, at: fixture.now)
        try await following { events in
            guard case .renumbered(.embedded, SettlementCursor("100")) = await events.next() else {
                Issue.record("not reported")
                return
            }
            let found: Set = [await events.next()?.settled, await events.next()?.settled]
            #expect(found == [one, two])
            try await fixture.node.settle(three, at: fixture.now)
            #expect(await events.next()?.settled == three)
        }
        #expect(try await fixture.ledger.cursor(of: .embedded) == SettlementCursor("3"))
        // Once is enough.
        let four = try await invoice()
        try await fixture.node.settle(four, at: fixture.now)
        try await following { events in #expect(await events.next()?.settled == four) }
    }

    @Test("A reset count is not forgotten when the process ends before all invoices were asked about")
    func countsAnewInTwoSteps() async throws {
        let ours = try await invoice()
        try await fixture.ledger.bind(.embedded, to: try await fixture.node.nodeInfo().nodeID)
        try await fixture.ledger.pass(to: SettlementCursor("100"), of: .embedded)
        try await fixture.node.settle(ours, at: fixture.now)
        // Which node it is, and where its count stands.
        node.callsLeft.withLock { $0 = 2 }
        try await following { events in
            while await events.next()?.isInterruption != true {}
        }
        node.callsLeft.withLock { $0 = nil }
        node.fault.withLock { $0 = nil }
        // By then it has counted as far as before.
        node.cursorState.withLock { $0 = .reached }
        try await following { events in #expect(await events.next()?.settled == ours) }
    }

    @Test("A node that has deleted its paid invoices is followed from its beginning, and nothing is reported")
    func deletedHistory() async throws {
        try await fixture.ledger.bind(.embedded, to: try await fixture.node.nodeInfo().nodeID)
        try await fixture.ledger.pass(to: SettlementCursor("100"), of: .embedded)
        let ours = try await invoice()
        node.cursorState.withLock { $0 = .nothingListed(beginning: SettlementCursor("0")) }
        try await following { _ in
            try await eventually { try await fixture.ledger.cursor(of: .embedded) == SettlementCursor("0") }
        }
        // Paid between two starts, before anything was read.
        try await fixture.node.settle(ours, at: fixture.now)
        node.cursorState.withLock { $0 = nil }
        try await following { events in
            #expect(await events.next()?.settled == ours)
        }
    }
}
