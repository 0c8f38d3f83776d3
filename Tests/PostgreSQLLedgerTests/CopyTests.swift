import Bolt12
import LedgerContract
import LedgerRecords
import LightningCoding
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite(
    "Copying ledgers", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct CopyTests {
    private let folder = TemporaryFolder()

    private func file(_ name: String = "ledger") async throws -> LedgerDatabase {
        try await LedgerDatabase.open(at: "\(folder.path)/\(name).sqlite")
    }

    /// Something of everything.
    private static func fill(_ ledger: any Ledger) async throws {
        try await ledger.put("alice", "One")
        try await ledger.put("alice", "For alice")
        try await ledger.put("bob")
        _ = try await ledger.removeAccount(named: Sample.account("bob"))
        try await ledger.tellSettlementsOfAll(true)
        try await ledger.bind(.embedded, to: Sample.node(1))
        for number in UInt64(1)...1_200 {
            let words = InvoiceOrigin.PayerWords(metadataVersion: 2, comment: number == 3 ? "Hi ⚡️" : nil)
            try await ledger.record(Sample.invoice(number * 100, words: words), using: nil)
        }
        let offer = try await ledger.putOffer(Sample.offer(1, maximumPayments: 5))
        let offered = try Sample.offeredInvoice(7, for: offer)
        try await ledger.record(
            offered, using: .offer(OfferClaim(offer: offer.offer.id, request: RequestDigest(of: [1]))))
        try await ledger.record(
            Sample.invoice(8, words: .init(metadataVersion: 2)), using: .challenge(Sample.challenge(1)))
        _ = try await ledger.record(Sample.settlement(100, cursor: "77"), from: .embedded)
        try await ledger.noteFollowing(.embedded, at: Sample.start)
        try await ledger.record(Sample.event(1))
        try await ledger.add(Sample.work(1), heldBy: nil)
        try await ledger.add(Sample.work(2, kind: .push, of: nil, about: OutboxSubject("token", "x")), heldBy: nil)
        try await fillRegistrations(ledger)
        try await fillDevices(ledger)
    }

    /// Two devices, one of them without an address, messages of which one was read, and what their owner wants.
    private static func fillDevices(_ ledger: any Ledger) async throws {
        try await ledger.putDevice(1, of: 1, "tablet", at: 1)
        let phone = try await ledger.putDevice(2, of: 1, at: 2)
        let due = CatchUpState(wakeDue: Sample.start, stored: .init(sequence: 1, expires: Sample.start), unanswered: 1)
        _ = try await ledger.keep(due, of: phone.id, replacing: phone.catchUp)
        try await ledger.putDevice(3, of: 2, at: 1)
        for number in UInt64(1)...3 { try await ledger.add(Sample.message(number, of: 1)) }
        try await ledger.mark(.upTo(1), of: Sample.node(1), read: true, at: Sample.start)
        try await ledger.confirm(.upTo(2), by: phone.id, at: Sample.start)
        try await ledger.keep(preferences: ["push": true], of: Sample.node(1))
    }

    /// A registration with a paid invoice, a name that was given up, one that is reserved, and the statements.
    private static func fillRegistrations(_ ledger: any Ledger) async throws {
        for (number, name) in ["carol", "caroline"].enumerated() {
            try await ledger.register(Sample.registrant(1), name, offer: "lno1", claim: UInt64(number))
        }
        try await ledger.reserve(Sample.account("root"), at: Sample.start)
        let invoice = try Sample.invoice(9)
        let paid = PaidInvoice(
            paymentHash: invoice.paymentHash, preimage: try Sample.preimage(9), bolt11: try #require(invoice.bolt11))
        try await ledger.keep(paid, of: Sample.registrant(1), at: Sample.start)
    }

    @Test("No instance serves a ledger into which another was copied in part")
    func unfinished() async throws {
        for ledger in [try await file(), try await ServerLedger.anew()] as [any RecordStore & Ledger] {
            try await ledger.noteUnfinishedCopy(of: "some")
            for isAlone in [false, true] {
                await #expect(throws: LedgerFault.unfinishedCopy) {
                    try await ledger.register(Sample.instance(1), isAlone: isAlone)
                }
            }
            #expect(try await ledger.instances().isEmpty)
            try await ledger.noteUnfinishedCopy(of: nil)
            try await ledger.register(Sample.instance(1), isAlone: false)
            await ledger.close()
        }
    }

    /// What a user of a ledger sees of it.
    private struct View: Equatable {
        let accounts: [Account]
        let invoices: [IssuedInvoice]
        let offers: [IssuedOffer]
        let events: [EventRecord]
        let work: [OutboxWork]
        let totals: LedgerTotals
        let cursor: SettlementCursor?
        let answer: IssuedInvoice?
        let registrations: [Registration]
        let nameStates: [NameState]
        let reserved: [AccountID]
        let paid: PaidInvoice?
        let devices: [Device]
        let messages: [DeviceMessage]
        let pending: [DeviceMessage]
        let preferences: JSONValue?

        init(_ ledger: any Ledger) async throws {
            accounts = try await ledger.accounts()
            var query = InvoiceQuery(now: Sample.start, limit: 1_000)
            var all: [IssuedInvoice] = []
            repeat {
                let page = try await ledger.invoices(query)
                all += page.elements
                query.after = page.next
            } while query.after != nil
            invoices = all.sorted { $0.createdAt > $1.createdAt }
            offers = try await ledger.offers(of: nil)
            events = try await ledger.events(EventQuery()).elements
            work = try await ledger.outbox(OutboxQuery()).elements
            totals = try await ledger.totals()
            cursor = try await ledger.cursor(of: .embedded)
            answer = try await ledger.answer(to: RequestDigest(of: [1]), at: Sample.start)
            registrations = try await ledger.registrations(RegistrationQuery()).elements
            var nameStates: [NameState] = []
            for name in ["alice", "carol", "caroline", "root"] {
                nameStates.append(try await ledger.nameState(of: Sample.account(name)))
            }
            self.nameStates = nameStates
            reserved = try await ledger.reservedNames()
            paid = try await ledger.paidInvoice(Sample.invoice(9).paymentHash, of: Sample.registrant(1))
            devices = try await ledger.devices(after: nil, limit: 10).elements
            messages = try await ledger.messages(MessageQuery(of: Sample.node(1))).elements
            pending = try await ledger.pending(for: Sample.deviceID(2), after: 0, at: Sample.start, limit: 10)
            preferences = try await ledger.preferences(of: Sample.node(1))
        }
    }

    @Test("A ledger is the same on a server as in its file, and the same when it has come back")
    func thereAndBack() async throws {
        let one = try await file()
        let server = try await ServerLedger.anew()
        let back = try await file("back")
        try await Self.fill(one)
        let parts = try await LedgerCopy(from: one, to: server).run()
        #expect(parts.first { $0.table == .invoice }?.digest.count == 1_202)
        _ = try await LedgerCopy(from: server, to: back).run()
        let expected = try await View(one)
        #expect(try await View(server) == expected)
        #expect(try await View(back) == expected)
        #expect(try await server.check().findings == [])
        #expect(try await back.check().findings == [])
        // New rows come behind the copied ones.
        for ledger in [server, back] as [any Ledger] {
            try await ledger.put("dave")
            let known = try #require(try await ledger.registration(Sample.registrant(1)))
            let new = try #require(try await ledger.register(Sample.registrant(2), "erin", claim: 2))
            #expect(new.version > known.version)
            #expect(try await ledger.registrations(RegistrationQuery()).elements == [new, known])
            await #expect(throws: RegistrationFault.refused(.replayed)) {
                try await ledger.register(Sample.registrant(1), "carol", offer: "lno1", claim: 0)
            }
            #expect(try await ledger.add(Sample.message(4, of: 1)).sequence == 4)
            #expect(try await ledger.putDevice(4, of: 3, at: 4).address != nil)
            try await ledger.record(Sample.invoice(200_000), using: nil)
            try await ledger.record(Sample.event(2))
            #expect(
                try await ledger.invoices(InvoiceQuery(now: Sample.start, limit: 1)).elements[0]
                    == Sample.invoice(200_000))
            #expect(try await ledger.events(EventQuery(limit: 1)).elements == [Sample.event(2)])
        }
    }

    @Test("A registration that is changed after a copy has a version of its own", arguments: [1, 2])
    func registrations(count: UInt8) async throws {
        let one = try await file()
        let server = try await ServerLedger.anew()
        try await one.put("alice")
        for number in 1...count {
            try await one.register(Sample.registrant(number), "name\(number)", claim: UInt64(number))
        }
        _ = try await LedgerCopy(from: one, to: server).run()
        let changed = try await server.register(Sample.registrant(1), "carol", claim: 3)
        #expect(changed?.version == UInt64(count) + 1)
        // Nor is it given again when a copy ends anew.
        #expect(try await server.removeRegistration(Sample.registrant(1), holdsName: false, at: Sample.start))
        try await server.finishAdding()
        let next = try await server.register(Sample.registrant(3), "dave", claim: 4)
        #expect(next?.version == UInt64(count) + 2)
    }

    @Test("An interrupted copy is finished by another one, which writes nothing twice")
    func resumed() async throws {
        let one = try await file()
        let server = try await ServerLedger.anew()
        try await Self.fill(one)
        let stopped = await Task {
            try await LedgerCopy(from: one, to: Failing(server, after: 6)).run()
        }.result
        #expect(throws: LedgerCopy.Fault.ledger(.busy)) { try stopped.get() }
        _ = try await LedgerCopy(from: one, to: server).run()
        #expect(try await View(server) == View(one))
        await #expect(throws: LedgerCopy.Fault.foreign) { try await LedgerCopy(from: one, to: server).run() }
    }

    @Test("Nothing is written to a ledger that is used, or is an unfinished copy of another one")
    func used() async throws {
        let one = try await file()
        try await one.put("carol")
        for target in [try await file("used"), try await ServerLedger.anew()] as [any RecordStore & Ledger] {
            try await target.put("bob")
            let before = try await View(target)
            await #expect(throws: LedgerCopy.Fault.foreign) { try await LedgerCopy(from: one, to: target).run() }
            #expect(try await View(target) == before)
            #expect(try await target.unfinishedCopy() == nil)
        }
        let server = try await ServerLedger.anew()
        let stopped = await Task {
            try await LedgerCopy(from: one, to: Failing(server, after: 0)).run()
        }.result
        #expect(throws: LedgerCopy.Fault.ledger(.busy)) { try stopped.get() }
        let other = try await file("other")
        try await other.put("bob")
        await #expect(throws: LedgerCopy.Fault.foreign) { try await LedgerCopy(from: other, to: server).run() }
        #expect(try await server.accounts() == [])
        _ = try await LedgerCopy(from: one, to: server).run()
        #expect(try await View(server) == View(one))
    }

    @Test("A copy during which an instance came up is not finished")
    func instanceMeanwhile() async throws {
        let one = try await file()
        let server = try await ServerLedger.anew()
        try await one.put("alice")
        let instance = try Sample.instance(1).id
        await #expect(throws: LedgerCopy.Fault.inUse(by: [instance])) {
            try await LedgerCopy(from: one, to: server).run(running: { [instance] })
        }
        #expect(try await server.unfinishedCopy() != nil)
        _ = try await LedgerCopy(from: one, to: server).run()
        #expect(try await server.unfinishedCopy() == nil)
    }

    @Test("A U+0000, which a server cannot hold, is replaced in the copy and counted")
    func zeros() async throws {
        let one = try await file()
        let server = try await ServerLedger.anew()
        let cursors = try #require(LedgerTable.all.first { $0.name == "settlement_cursor" })
        try await one.add([[.text("old"), .text("a\0b")], [.text("new"), .text("c")]], to: cursors)
        let parts = try await LedgerCopy(from: one, to: server).run()
        #expect(parts.filter { $0.textsWithZero > 0 }.map(\.table) == [cursors])
        #expect(parts.map(\.textsWithZero).reduce(0, +) == 1)
        let rows = try await server.readRecords { reader throws(LedgerFault) in
            try await reader.rows(of: cursors, after: nil, limit: 10).rows
        }
        #expect(Set(rows) == [[.text("old"), .text("a\u{FFFD}b")], [.text("new"), .text("c")]])
    }

    @Test("A ledger of others is not written over, and one that differs in the end is reported")
    func refused() async throws {
        let one = try await file()
        let other = try await ServerLedger.anew()
        try await one.put("alice")
        _ = try await other.putMainDomain(at: HTTPURL("https://other.example"))
        await #expect(throws: LedgerCopy.Fault.foreign) { try await LedgerCopy(from: one, to: other).run() }
        let copy = try await ServerLedger.anew()
        let stopped = await Task {
            try await LedgerCopy(from: one, to: Failing(copy, after: 3)).run()
        }.result
        #expect(throws: LedgerCopy.Fault.ledger(.busy)) { try stopped.get() }
        try await copy.record(Sample.event(1))
        await #expect(throws: LedgerCopy.Fault.different(table: "event", source: 0, target: 1)) {
            try await LedgerCopy(from: one, to: copy).run()
        }
    }

    @Test("A snapshot of a ledger on a server is a sound SQLite ledger that only its owner may open")
    func snapshots() async throws {
        let server = try await ServerLedger.anew()
        try await Self.fill(server)
        let path = folder.path + "/snapshot.sqlite"
        try await server.snapshot(to: path)
        #expect(PrivateFile(path: path).modeOpenToOthers == nil)
        #expect(folder.names == ["snapshot.sqlite"])
        let copy = try await LedgerDatabase.open(at: path)
        #expect(try await View(copy) == View(server))
        #expect(try await copy.check().findings == [])
    }
}

/// A ledger that fails after some pages.
private final class Failing: RecordStore {
    private let ledger: ServerLedger
    private let left: Guarded<Int>

    init(_ ledger: ServerLedger, after pages: Int) {
        self.ledger = ledger
        left = Guarded(pages)
    }

    func readRecords<Result: Sendable>(
        _ body: (any RecordReader) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await ledger.readRecords(body)
    }

    func add(_ rows: [[StoredValue]], to table: LedgerTable) async throws(LedgerFault) {
        let isOver = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isOver { throw .busy }
        try await ledger.add(rows, to: table)
    }

    func finishAdding() async throws(LedgerFault) { try await ledger.finishAdding() }

    func unfinishedCopy() async throws(LedgerFault) -> String? { try await ledger.unfinishedCopy() }

    func noteUnfinishedCopy(of source: String?) async throws(LedgerFault) {
        try await ledger.noteUnfinishedCopy(of: source)
    }
}
