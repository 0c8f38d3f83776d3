import LedgerRecords
import LedgerContract
import LightningCoding
import Platform
import ResponderModel
import Testing
@testable import ResponderCore

extension ExpiredInvoiceTests {
    @Test("A node that stops answering while more is to be deleted is not asked again before the next round")
    func downWhileBehind() async throws {
        let fixture = try await Fixture()
        _ = try await Self.issue(101, on: fixture)
        fixture.advance(seconds: 600 + Self.day + 1)
        let node = FakeNodeBackend(fixture.node)
        // Which node it is, and the first batch.
        node.callsLeft.withLock { $0 = 101 }
        let removal = ExpiredInvoiceRemoval(
            ledger: fixture.ledger, backends: [.embedded: node], grace: Self.day, mostBatches: 1)
        let removed = Guarded(0)
        let task = UpkeepTask.removingInvoices(removal) { count in removed.withLock { $0 += count } }
        try await task.round(fixture.now, fixture.ledger.held(.upkeep))
        #expect(removed.withLock { $0 } == 100)
        #expect(removal.isBehind)
        #expect(node.asked.withLock { $0 } == 102)
    }

    @Test("After a pass that kept nothing, what expires next is deleted without a rest")
    func noRest() async throws {
        let fixture = try await Fixture()
        _ = try await Self.issue(1, on: fixture)
        fixture.advance(seconds: 60)
        _ = try await Self.issue(1, on: fixture)
        fixture.advance(seconds: 600 + Self.day - 59)
        let removal = Self.removal(on: fixture)
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 1)
        fixture.advance(seconds: 60)
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 1)
    }

    @Test("A round that is canceled ends with its batch")
    func canceled() async throws {
        let fixture = try await Fixture()
        _ = try await Self.issue(101, on: fixture)
        fixture.advance(seconds: 600 + Self.day + 1)
        let asked = Guarded(0)
        let node = StatusOverridingNode(inner: fixture.node) { _ in
            asked.withLock { $0 += 1 }
            withUnsafeCurrentTask { $0?.cancel() }
            return nil
        }
        let removal = Self.removal(on: fixture, behind: node)
        let lease = try await fixture.ledger.held(.upkeep)
        let round = Task { [now = fixture.now] in try await removal.round(at: now, under: lease) }
        #expect(try await round.value == 100)
        #expect(asked.withLock { $0 } == 100)
        #expect(removal.isBehind)
    }

    @Test(
        "If the node stops answering in the middle of a batch, its answers count, and it is asked about the rest",
        arguments: [1, 5])
    func halfWay(answers: Int) async throws {
        let fixture = try await Fixture()
        _ = try await Self.issue(20, on: fixture)
        fixture.advance(seconds: 100 * Self.day)
        let asked = Guarded(0)
        let node = StatusOverridingNode(inner: fixture.node) { _ throws(BackendFault) in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            if number > answers { throw .timedOut }
            return number == answers ? .some(.open) : nil
        }
        let removal = Self.removal(on: fixture, behind: node)
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == answers - 1)
        #expect(asked.withLock { $0 } == answers + 1)
        asked.withLock { $0 = -100 }
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 20 - answers)
        #expect(asked.withLock { $0 } == -100 + 20 - answers)
    }

    @Test("A round that the ledger ends is continued where it stopped, without asking the node again about what stays")
    func faultOnTheWay() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(102, on: fixture)
        fixture.advance(seconds: 600 + Self.day + 1)
        let asked = Guarded(0)
        let node = StatusOverridingNode(inner: fixture.node) { hash in
            asked.withLock { $0 += 1 }
            return .some(hashes.prefix(100).contains(hash) ? .open : .closed)
        }
        let removal = Self.removal(on: fixture, behind: node)
        let lost = try #require(
            try await fixture.ledger.lease(.upkeep, for: Sample.instance(1).id, lasting: 0))
        let lease = try #require(
            try await fixture.ledger.lease(.upkeep, for: Sample.instance(2).id, lasting: 3_600))
        await #expect(throws: LedgerFault.leaseLost) { try await removal.round(at: fixture.now, under: lost) }
        #expect(asked.withLock { $0 } == 102)
        #expect(try await removal.round(at: fixture.now, under: lease) == 2)
        #expect(asked.withLock { $0 } == 104)
    }

    @Test("If the node stops answering between two batches of a round, no invoice is passed over")
    func betweenBatches() async throws {
        let fixture = try await Fixture()
        _ = try await Self.issue(102, on: fixture)
        fixture.advance(seconds: 600 + Self.day + 1)
        let node = FakeNodeBackend(fixture.node)
        node.callsLeft.withLock { $0 = 101 }
        let removal = ExpiredInvoiceRemoval(ledger: fixture.ledger, backends: [.embedded: node], grace: Self.day)
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 100)
        node.fault.withLock { $0 = nil }
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 2)
    }
}
