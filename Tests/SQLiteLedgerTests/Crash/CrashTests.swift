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
        #expect(whole.promises.invoices.count == 9 && whole.promises.settled.count == 4 && whole.promises.isCopied)
        try await whole.checkPromises()
        for operation in 1...whole.disk.operations {
            let life = Life((fault, operation))
            await life.run()
            try life.disk.mend(seed: operation)
            try await life.checkPromises("\(fault) at operation \(operation)")
        }
    }
}

/// What becomes of a ledger from its first opening, and what its calls have promised by returning.
private final class Life {
    struct Promises {
        var accounts: [String: String] = [:]
        var invoices: Set<UInt64> = []
        var settled: Set<UInt64> = []
        var isCopied = false
    }

    let disk: FaultyDisk
    private(set) var promises = Promises()
    private let folder = TemporaryFolder()
    private var file: String { folder.path + "/ledger.sqlite" }
    private var copy: String { folder.path + "/copy.sqlite" }

    init(_ fault: (FaultyDisk.Fault, Int)?) {
        disk = FaultyDisk(folder.path, fault)
    }

    func run() async {
        await open { ledger in
            await self.describe("alice", "For alice", in: ledger)
            await self.describe("bob", "For alice", in: ledger)
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

    private func settle(_ number: UInt64, in ledger: LedgerDatabase) async {
        guard let settlement = try? Sample.settlement(number, cursor: "\(number)"),
            (try? await ledger.record(settlement, from: .embedded)) != nil
        else { return }
        promises.settled.insert(number)
    }

    func checkPromises(_ place: String = "no fault") async throws {
        try await check(file, place)
        if promises.isCopied { try await check(copy, place + ", the copy") }
    }

    private func check(_ path: String, _ place: String) async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        let report = try await ledger.check()
        #expect(report.isSound, "\(place): \(report.findings)")
        for (name, description) in promises.accounts {
            let account = try await ledger.account(named: Sample.account(name))
            // A change that failed may have been made all the same.
            let described = account?.settings.description
            #expect(described == description || name == "bob" && described == "For bob", "\(place): account \(name)")
        }
        for number in promises.invoices {
            let invoice = try await ledger.invoice(try Sample.preimage(number).paymentHash)
            #expect(invoice?.bolt11 == (try Sample.invoice(number).bolt11), "\(place): invoice \(number)")
            if promises.settled.contains(number) {
                #expect(invoice?.settlement != nil, "\(place): settlement \(number)")
            }
        }
        await ledger.close()
    }
}
