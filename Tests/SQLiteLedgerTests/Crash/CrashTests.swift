import Bolt12
import LedgerContract
import LedgerRecords
import LightningCoding
import LightningCrypto
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("Wherever the disk of a ledger fails", .timeLimit(.minutes(20)))
struct CrashTests {
    @Test("it is sound afterwards, and has what it had promised", arguments: FaultyDisk.Fault.allCases)
    func everyOperation(fault: FaultyDisk.Fault) async throws {
        let whole = Life(nil)
        await whole.run()
        #expect(whole.promises.invoices.count == 10 && whole.promises.settled.count == 4 && whole.promises.isCopied)
        #expect(whole.promises.tellsAll && whole.promises.isOfferSold)
        try await whole.checkPromises()
        for operation in 1...whole.disk.operations {
            let life = Life((fault, operation))
            await life.run()
            try life.disk.mend(seed: operation)
            try await life.checkPromises("\(fault) at operation \(operation)")
        }
    }

    @Test(
        "a copy of another ledger into it is whole, or the same copy makes it whole",
        arguments: FaultyDisk.Fault.allCases)
    func copying(fault: FaultyDisk.Fault) async throws {
        let life = Life(nil)
        await life.run()
        let source = try await LedgerDatabase.open(at: life.file)
        #expect(life.promises.invoices.count == 10 && life.promises.settled.count == 4)
        func parts(of ledger: LedgerDatabase) async throws -> [LedgerCopy.Part] {
            let folder = TemporaryFolder(isInMemory: true)
            let other = try await LedgerDatabase.open(at: folder.path + "/other.sqlite")
            let parts = try await LedgerCopy(from: ledger, to: other).run()
            await other.close()
            return parts
        }
        let whole = try await parts(of: source)
        var operation = 0
        var isOver = false
        while !isOver {
            operation += 1
            let folder = TemporaryFolder(isInMemory: true)
            let disk = FaultyDisk(folder.path, (fault, operation))
            var isCopied = false
            if let target = try? await LedgerDatabase.open(at: folder.path + "/copy.sqlite") {
                isCopied = (try? await LedgerCopy(from: source, to: target).run()) != nil
                await target.close()
            }
            isOver = disk.operations < operation
            try disk.mend(seed: operation)
            let target = try await LedgerDatabase.open(at: folder.path + "/copy.sqlite")
            if !isCopied {
                do throws(LedgerCopy.Fault) {
                    _ = try await LedgerCopy(from: source, to: target).run()
                } catch {
                    // The end of the first copy was noted, and the disk did not say so.
                    #expect(error == .foreign, "\(fault) at operation \(operation)")
                }
            }
            #expect(try await parts(of: target) == whole, "\(fault) at operation \(operation)")
            await target.close()
        }
        await source.close()
        #expect(operation > 20)
    }

    @Test("all steps of a migration are applied, or none", arguments: FaultyDisk.Fault.allCases)
    func migration(fault: FaultyDisk.Fault) async throws {
        let steps = [
            Schema.Migration("one", sql: "CREATE TABLE one (a INTEGER) STRICT; INSERT INTO one VALUES (7);"),
            Schema.Migration("two", sql: "CREATE TABLE two (a INTEGER) STRICT; INSERT INTO two SELECT a FROM one;"),
            Schema.Migration("three", sql: "DROP TABLE one;"),
        ]
        let (old, new) = (Schema(component: "x", migrations: [steps[0]]), Schema(component: "x", migrations: steps))
        var operation = 0
        var isOver = false
        while !isOver {
            operation += 1
            let folder = TemporaryFolder(isInMemory: true)
            let file = folder.path + "/database.sqlite"
            let before = try await Database.open(at: file)
            try await before.migrate(to: old)
            await before.close()
            let disk = FaultyDisk(folder.path, (fault, operation))
            var isMigrated = false
            if let database = try? await Database.open(at: file) {
                isMigrated = (try? await database.migrate(to: new)) != nil
                await database.close()
            }
            isOver = disk.operations < operation
            try disk.mend(seed: operation)
            let after = try await Database.open(at: file)
            let tables = try await after.read { connection throws(LedgerFault) in
                try connection.rows("SELECT name FROM sqlite_schema WHERE name IN ('one', 'two') ORDER BY 1") {
                    row throws(LedgerFault) in try row.text("name")
                }
            }
            #expect(tables == ["two"] || !isMigrated && tables == ["one"], "\(fault) at operation \(operation)")
            try await after.migrate(to: new)
            let values = try await after.read { connection throws(LedgerFault) in
                try connection.rows("SELECT a FROM two") { row throws(LedgerFault) in try row.integer("a") }
            }
            #expect(values == [7], "\(fault) at operation \(operation)")
            await after.close()
        }
        #expect(operation > 3)
    }
}

/// What the calls of a ledger have promised by returning.
private struct Promises {
    var accounts: [String: String] = [:]
    var invoices: Set<UInt64> = []
    var settled: Set<UInt64> = []
    /// Every settlement is told from then on.
    var tellsAll = false
    /// An offer for one payment has its invoice.
    var isOfferSold = false
    var isCopied = false
}

/// What becomes of a ledger from its first opening.
private final class Life {
    let disk: FaultyDisk
    private(set) var promises = Promises()
    private let folder = TemporaryFolder(isInMemory: true)
    var file: String { folder.path + "/ledger.sqlite" }
    private var copy: String { folder.path + "/copy.sqlite" }

    init(_ fault: (FaultyDisk.Fault, Int)?) {
        disk = FaultyDisk(folder.path, fault)
    }

    func run() async {
        await open { ledger in
            await self.describe("alice", "For alice", in: ledger)
            await self.describe("bob", "For alice", in: ledger)
            self.promises.tellsAll = (try? await ledger.tellSettlementsOfAll(true)) != nil
            await self.sellOffer(in: ledger)
            for number in UInt64(1)...6 {
                await self.issue(
                    number, number % 2 == 0 ? .challenge(Sample.challenge(UInt8(number))) : nil, in: ledger)
            }
            await self.settle(2, in: ledger)
            await self.settle(4, in: ledger)
        }
        await open { ledger in
            await self.describe("alice", "For alice", in: ledger)
            await self.describe("bob", "For bob", in: ledger)
            for number in UInt64(7)...9 { await self.issue(number, nil, in: ledger) }
            await self.settle(7, in: ledger)
            let lease = try? await ledger.held(.upkeep)
            if let lease { _ = try? await ledger.prune(before: Sample.start.adding(seconds: 10_000), under: lease) }
            await self.settle(1, in: ledger)
            if (try? await ledger.snapshot(to: self.copy)) != nil { self.promises.isCopied = true }
        }
    }

    private func open(_ body: (LedgerDatabase) async -> Void) async {
        guard let ledger = try? await LedgerDatabase.open(at: file) else { return }
        await body(ledger)
        await ledger.close()
    }

    private func describe(_ name: String, _ description: String, in ledger: LedgerDatabase) async {
        if (try? await ledger.put(name, description)) != nil { promises.accounts[name] = description }
    }

    private func issue(_ number: UInt64, _ claim: InvoiceClaim?, in ledger: LedgerDatabase) async {
        guard let invoice = try? Sample.invoice(number) else { return }
        if (try? await ledger.record(invoice, using: claim)) != nil { promises.invoices.insert(number) }
    }

    /// Makes an offer for one payment, and its invoice.
    private func sellOffer(in ledger: LedgerDatabase) async {
        do {
            let offer = try await ledger.putOffer(Sample.offer(1, maximumPayments: 1))
            let claim = OfferClaim(offer: offer.offer.id, request: RequestDigest(of: [1]))
            try await ledger.record(Sample.offeredInvoice(10, for: offer), using: .offer(claim))
            promises.invoices.insert(10)
            promises.isOfferSold = true
        } catch {}
    }

    private func settle(_ number: UInt64, in ledger: LedgerDatabase) async {
        guard let settlement = try? Sample.settlement(number, cursor: "\(number)"),
            (try? await ledger.record(settlement, from: .embedded)) != nil
        else { return }
        promises.settled.insert(number)
    }

    func checkPromises(_ place: String = "no fault") async throws {
        try await promises.check(file, place)
        if promises.isCopied { try await promises.check(copy, place + ", the copy") }
    }
}

extension Promises {
    func check(_ path: String, _ place: String) async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        let report = try await ledger.check()
        #expect(report.findings.isEmpty, "\(place): \(report.findings)")
        for (name, description) in accounts {
            let account = try await ledger.account(named: Sample.account(name))
            // A change that failed may have been made all the same.
            let described = account?.settings.description
            #expect(described == description || name == "bob" && described == "For bob", "\(place): account \(name)")
        }
        for number in invoices {
            let invoice = try await ledger.invoice(try Sample.preimage(number).paymentHash)
            #expect(invoice?.bolt11 == (try Sample.invoice(number).bolt11), "\(place): invoice \(number)")
            if settled.contains(number) {
                #expect(invoice?.settlement != nil, "\(place): settlement \(number)")
            }
        }
        if tellsAll {
            let told = Set(try await ledger.outbox(OutboxQuery()).elements.map(\.id))
            for number in settled {
                let job = SettlementWebhookJob(try Sample.preimage(number).paymentHash, to: try Sample.alice())
                #expect(told.contains(job.id), "\(place): settlement \(number) is told to nobody")
            }
        }
        if isOfferSold {
            let claim = OfferClaim(offer: try Sample.offer(1, maximumPayments: 1).offer.id, request: nil)
            let obstacle = try await ledger.obstacle(to: claim, at: Sample.start)
            #expect(obstacle == .offerExhausted, "\(place): the offer")
        }
        await ledger.close()
    }
}
