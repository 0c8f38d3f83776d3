import LedgerRecords
import Bolt11
import EmbeddedNode
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("Deletion of expired invoices", .timeLimit(.minutes(5)))
struct ExpiredInvoiceTests {
    static let day: UInt64 = 86_400

    /// That many invoices of alice, which expire after 600 seconds.
    static func issue(_ count: Int, on fixture: Fixture) async throws -> [PaymentHash] {
        let responder = try await fixture.responder()
        var hashes: [PaymentHash] = []
        for _ in 0..<count {
            let paid = try await responder.payInvoice(
                CallbackQuery(amount: Millisatoshi(1_000)), for: fixture.alice())
            hashes.append(try UnverifiedBolt11Invoice(paid.pr).paymentHash)
        }
        return hashes
    }

    static func removal(
        on fixture: Fixture, behind node: (any ReceiveBackend)? = nil,
        report: @escaping @Sendable (SettlementFollower.Event) -> Void = { _ in }
    ) -> ExpiredInvoiceRemoval {
        ExpiredInvoiceRemoval(
            ledger: fixture.ledger, backends: [.embedded: node ?? fixture.node], grace: day, report: report)
    }

    /// Records that alice's node is followed, once a day for that many days from now on.
    static func follow(_ fixture: Fixture, days: UInt64) async throws {
        for number in 0...days {
            try await fixture.ledger.noteFollowing(.embedded, at: fixture.now.adding(seconds: number * day))
        }
    }

    @Test("Expired invoices are deleted after a grace period, from the embedded node too; paid ones stay in both")
    func grace() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(3, on: fixture)
        try await fixture.settle(hashes[1])
        let end = try #require(await fixture.ledger.invoice(hashes[0])).expiresAt
        let removal = Self.removal(on: fixture)
        let last = end.adding(seconds: Self.day)
        fixture.advance(seconds: last.seconds(since: fixture.now))
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 0)
        fixture.advance(seconds: 1)
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 2)
        for (index, hash) in hashes.enumerated() {
            #expect(try await (fixture.ledger.invoice(hash) != nil) == (index == 1))
            #expect(try await (fixture.node.status(of: hash) != nil) == (index == 1))
        }
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 0)
        #expect(try await fixture.ledger.check().findings.isEmpty)
        // The node's settlements continue as if nothing had been there.
        let cursor = try #require(await fixture.ledger.cursor(of: .embedded))
        let next = try await Self.issue(1, on: fixture)
        try await fixture.settle(next[0])
        #expect(try await fixture.ledger.cursor(of: .embedded) != cursor)
        #expect(try await fixture.ledger.invoice(next[0])?.settlement != nil)
    }

    @Test("What the node reports as paid, with its preimage, is recorded and reported, and stays")
    func paidMeanwhile() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(2, on: fixture)
        let settlement = try await fixture.node.settle(hashes[0], at: fixture.now)
        fixture.advance(seconds: 100 * Self.day)
        let reported = Guarded<[PaymentHash]>([])
        let removal = Self.removal(on: fixture) { event in
            if case .settled(let invoice) = event { reported.withLock { $0.append(invoice.paymentHash) } }
        }
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 1)
        #expect(reported.withLock { $0 } == [hashes[0]])
        let kept = try #require(try await fixture.ledger.invoice(hashes[0])?.settlement)
        #expect(kept.preimage == settlement.preimage && kept.received == settlement.received)
        #expect(try await fixture.ledger.invoice(hashes[1]) == nil)
        #expect(
            try await removal.round(at: fixture.now.adding(seconds: 10_000), under: fixture.ledger.held(.upkeep)) == 0)
        #expect(reported.withLock { $0.count } == 1)
    }

    @Test(
        "A payment reported without proof, or an impossible one, settles nothing, and the invoice stays"
    )
    func unproven() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(2, on: fixture)
        let paid = try await fixture.node.settle(hashes[0], at: fixture.now)
        fixture.advance(seconds: 100 * Self.day)
        let lying = StatusOverridingNode(inner: fixture.node) { hash in
            let received = hash == hashes[0] ? Millisatoshi(.max) : paid.received
            return .some(.settled(at: paid.settledAt, received: received, preimage: paid.preimage))
        }
        #expect(
            try await Self.removal(on: fixture, behind: lying).round(
                at: fixture.now, under: fixture.ledger.held(.upkeep)) == 0)
        for hash in hashes {
            let invoice = try #require(try await fixture.ledger.invoice(hash))
            #expect(invoice.settlement == nil)
        }
    }

    @Test("An invoice unknown to the node is deleted only if its payment would have been noticed")
    func unknown() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(1, on: fixture)
        let start = fixture.now
        let end = start.adding(seconds: 100 * Self.day)
        let unknown = StatusOverridingNode(inner: fixture.node) { _ in .some(nil) }
        func round() async throws -> Int {
            try await Self.removal(on: fixture, behind: unknown).round(at: end, under: fixture.ledger.held(.upkeep))
        }
        #expect(try await round() == 0)
        // Followed until the invoice expired, but not for the day after.
        try await Self.follow(fixture, days: 1)
        #expect(try await round() == 0)
        // Followed again, after a pause so long that the node may have deleted paid invoices meanwhile.
        fixture.advance(seconds: 40 * Self.day)
        try await Self.follow(fixture, days: 5)
        #expect(try await round() == 0)
        #expect(try await fixture.ledger.invoice(hashes[0]) != nil)
        // Followed since it was issued.
        fixture.time.withLock { $0 = start }
        _ = try await fixture.ledger.unbind(.embedded)
        try await Self.follow(fixture, days: 2)
        #expect(try await round() == 1)
        #expect(try await fixture.ledger.invoice(hashes[0]) == nil)
    }

    @Test("A clock that jumps ahead deletes nothing that the node considers open or does not know")
    func clockAhead() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(1, on: fixture)
        try await Self.follow(fixture, days: 0)
        let ahead = fixture.now.adding(seconds: 40 * Self.day)
        #expect(try await Self.removal(on: fixture).round(at: ahead, under: fixture.ledger.held(.upkeep)) == 0)
        try await fixture.ledger.noteFollowing(.embedded, at: ahead)
        let unknown = StatusOverridingNode(inner: fixture.node) { _ in .some(nil) }
        #expect(
            try await Self.removal(on: fixture, behind: unknown).round(at: ahead, under: fixture.ledger.held(.upkeep))
                == 0)
        #expect(try await fixture.ledger.invoice(hashes[0]) != nil)
        #expect(try await fixture.node.status(of: hashes[0]) == .open)
    }

    @Test("However many must stay, those after them are deleted; the others are checked again after an hour")
    func manyKept() async throws {
        let fixture = try await Fixture()
        let kept = 1_050
        let sample = try #require(try await fixture.ledger.invoice(Self.issue(1, on: fixture)[0]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt64(0)..<UInt64(kept) {
                let preimage = try Preimage(SHA256.hash(withUnsafeBytes(of: number.bigEndian) { Array($0) }))
                let older = IssuedInvoice(
                    paymentHash: preimage.paymentHash, account: sample.account, backend: .embedded, label: "\(number)",
                    bolt11: sample.bolt11, amount: sample.amount, createdAt: sample.createdAt,
                    expiresAt: UnixTime(sample.expiresAt.seconds - 1), origin: sample.origin)
                group.addTask { try await fixture.ledger.record(older, using: nil) }
            }
            try await group.waitForAll()
        }
        fixture.advance(seconds: 100 * Self.day)
        let asked = Guarded(0)
        let node = StatusOverridingNode(inner: fixture.node) { hash in
            asked.withLock { $0 += 1 }
            return .some(hash == sample.paymentHash ? .closed : .open)
        }
        let removal = Self.removal(on: fixture, behind: node)
        #expect(try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 1)
        #expect(asked.withLock { $0 } == kept + 1)
        #expect(
            try await removal.round(
                at: fixture.now.adding(seconds: ExpiredInvoiceRemoval.rest - 1), under: fixture.ledger.held(.upkeep))
                == 0)
        #expect(asked.withLock { $0 } == kept + 1)
        #expect(
            try await removal.round(
                at: fixture.now.adding(seconds: ExpiredInvoiceRemoval.rest), under: fixture.ledger.held(.upkeep)) == 0)
        #expect(asked.withLock { $0 } == 2 * kept + 1)
    }

    @Test("The node is asked about an invoice that stays after 1, 2, 4, … 24 hours; about newer ones each hour")
    func backsOff() async throws {
        let fixture = try await Fixture()
        _ = try await Self.issue(1, on: fixture)
        fixture.advance(seconds: 100 * Self.day)
        let start = fixture.now
        let asked = Guarded<[PaymentHash]>([])
        let node = StatusOverridingNode(inner: fixture.node) { hash in
            asked.withLock { $0.append(hash) }
            return .some(nil)
        }
        let removal = Self.removal(on: fixture, behind: node)
        var hours: [UInt64] = []
        for hour in UInt64(0)...80 {
            _ = try await removal.round(
                at: start.adding(seconds: hour * ExpiredInvoiceRemoval.rest), under: fixture.ledger.held(.upkeep))
            if asked.withLock({ !$0.isEmpty }) { hours.append(hour) }
            asked.withLock { $0 = [] }
        }
        #expect(hours == [0, 1, 3, 7, 15, 31, 55, 79])
        fixture.time.withLock { $0 = start.adding(seconds: 57 * ExpiredInvoiceRemoval.rest) }
        let new = try await Self.issue(1, on: fixture)
        _ = try await removal.round(
            at: start.adding(seconds: 90 * ExpiredInvoiceRemoval.rest), under: fixture.ledger.held(.upkeep))
        #expect(asked.withLock { $0 } == new)
    }

    @Test("An invoice whose payment was reported and could not be read stays, whatever the node says later")
    func skipped() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(2, on: fixture)
        try await fixture.ledger.pass(
            over: UnreadableSettlement(
                paymentHash: hashes[0], .malformedAnswer("amount"), cursor: SettlementCursor("7")),
            of: .embedded, at: fixture.now, under: fixture.ledger.held(.following(.embedded)))
        fixture.advance(seconds: 100 * Self.day)
        let node = StatusOverridingNode(inner: fixture.node) { _ in .some(.closed) }
        #expect(
            try await Self.removal(on: fixture, behind: node).round(
                at: fixture.now, under: fixture.ledger.held(.upkeep)) == 1)
        #expect(try await fixture.ledger.invoice(hashes[0]) != nil)
        #expect(try await fixture.ledger.invoice(hashes[1]) == nil)
    }

    @Test("Nothing is deleted while the node does not answer")
    func silentNode() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(1, on: fixture)
        fixture.advance(seconds: 100 * Self.day)
        let silent = StatusOverridingNode(inner: fixture.node) { _ throws(BackendFault) in throw .timedOut }
        #expect(
            try await Self.removal(on: fixture, behind: silent).round(
                at: fixture.now, under: fixture.ledger.held(.upkeep)) == 0)
        let open = StatusOverridingNode(inner: fixture.node) { _ in .some(.open) }
        #expect(
            try await Self.removal(on: fixture, behind: open).round(
                at: fixture.now, under: fixture.ledger.held(.upkeep)) == 0)
        let nothing = ExpiredInvoiceRemoval(ledger: fixture.ledger, backends: [:], grace: Self.day)
        #expect(try await nothing.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) == 0)
        #expect(try await fixture.ledger.invoice(hashes[0]) != nil)
    }

    @Test("A different node in its place is not trusted, nor one that does not say which it is")
    func anotherNode() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(1, on: fixture)
        try await fixture.ledger.bind(.embedded, to: fixture.node.publicKey)
        fixture.advance(seconds: 100 * Self.day)
        let key = try SecretKey([UInt8](repeating: 0x55, count: 32)).publicKey
        let other = StatusOverridingNode(inner: fixture.node, node: key) { _ in .some(.closed) }
        #expect(
            try await Self.removal(on: fixture, behind: other).round(
                at: fixture.now, under: fixture.ledger.held(.upkeep)) == 0)
        let nameless = StatusOverridingNode(inner: fixture.node, isNameless: true) { _ in .some(.closed) }
        #expect(
            try await Self.removal(on: fixture, behind: nameless).round(
                at: fixture.now, under: fixture.ledger.held(.upkeep)) == 0)
        #expect(try await fixture.ledger.invoice(hashes[0]) != nil)
        let same = StatusOverridingNode(inner: fixture.node) { _ in .some(.closed) }
        #expect(
            try await Self.removal(on: fixture, behind: same).round(
                at: fixture.now, under: fixture.ledger.held(.upkeep)) == 1)
    }

    @Test("One round deletes many, in batches, skipping those that must stay")
    func batches() async throws {
        let fixture = try await Fixture()
        let count = 2 * ExpiredInvoiceRemoval.batch + 50
        let hashes = try await Self.issue(count, on: fixture)
        fixture.advance(seconds: 100 * Self.day)
        let kept = Set(hashes.prefix(30))
        let asked = Guarded(0)
        let node = StatusOverridingNode(inner: fixture.node) { hash in
            asked.withLock { $0 += 1 }
            return kept.contains(hash) ? .some(.open) : nil
        }
        #expect(
            try await Self.removal(on: fixture, behind: node).round(
                at: fixture.now, under: fixture.ledger.held(.upkeep)) == count - 30)
        #expect(asked.withLock { $0 } == count)
        for hash in kept { #expect(try await fixture.ledger.invoice(hash) != nil) }
    }

    @Test("One invoice for which the node never answers holds up no others")
    func timesOut() async throws {
        let fixture = try await Fixture()
        let hashes = try await Self.issue(20, on: fixture)
        fixture.advance(seconds: 100 * Self.day)
        let node = StatusOverridingNode(inner: fixture.node) { hash throws(BackendFault) in
            if hash == hashes[7] { throw .timedOut }
            return nil
        }
        let removal = Self.removal(on: fixture, behind: node)
        var count = 0
        for _ in 0..<2 { count += try await removal.round(at: fixture.now, under: fixture.ledger.held(.upkeep)) }
        #expect(count == 19)
        #expect(try await fixture.ledger.invoice(hashes[7]) != nil)
        #expect(!removal.isBehind)
        // It is asked about again an hour later.
        let later = fixture.now.adding(seconds: ExpiredInvoiceRemoval.rest)
        #expect(try await Self.removal(on: fixture).round(at: later, under: fixture.ledger.held(.upkeep)) == 1)
    }
}
