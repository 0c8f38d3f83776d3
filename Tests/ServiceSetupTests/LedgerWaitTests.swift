import LedgerRecords
import Platform
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceSetup

@Suite("A service waits for its ledger", .timeLimit(.minutes(5)))
struct LedgerWaitTests {
    private let temporary = TemporaryFolder()

    /// A clock that moves on while others sleep.
    private final class Sleeper: Sendable {
        private let passed = Guarded(Duration.zero)

        var time: Duration { passed.withLock { $0 } }

        var clock: MonotonicClock {
            MonotonicClock(
                now: { [self] in MonotonicTime(sinceStart: time) },
                sleep: { [self] moment in passed.withLock { $0 = max($0, moment.sinceStart) } })
        }
    }

    /// Opens a ledger in a folder after these failures.
    private func open(
        _ faults: [LedgerFault], isForOneService: Bool = false
    ) async throws -> (
        fault: LedgerFault?, time: Duration, warnings: [String]
    ) {
        let sleeper = Sleeper()
        let kind = FailingLedgerKind(faults, isForOneService: isForOneService)
        var warnings: [String] = []
        var fault: LedgerFault?
        do throws(LedgerFault) {
            try await kind.open(
                in: DataFolder(path: temporary.path), within: Installation.ledgerTime, sleeper.clock
            ) { warnings.append($0) }.close()
        } catch {
            fault = error
        }
        return (fault, sleeper.time, warnings)
    }

    @Test("What the settings name and is missing may be there at the next start; damage stays")
    func status() {
        #expect(CommandFailure(LedgerFault.settings("/run/password: no such file")).status == .input)
        #expect(CommandFailure(LedgerFault.corrupt("a row")).status == .data)
    }

    @Test("While the server is away it is tried again each second, with one warning")
    func waits() async throws {
        let faults: [LedgerFault] = [.unreachable("refused"), .busy, .readOnly, .noConnection(within: .seconds(2))]
        let opened = try await open(faults)
        #expect(opened.fault == nil)
        #expect(opened.time == .seconds(4))
        #expect(opened.warnings == ["waiting up to 90 s: the ledger cannot be reached: refused"])
    }

    @Test("After 90 seconds the failure is that of the last attempt, and the service exits with 69")
    func givesUp() async throws {
        let opened = try await open(Array(repeating: .unreachable("refused"), count: 200))
        #expect(opened.fault == .unreachable("refused"))
        #expect(opened.time == .seconds(90))
        #expect(opened.warnings.count == 1)
        #expect(opened.fault.map { CommandFailure($0).status } == .unavailable)
    }

    @Test("Nothing is waited for that does not pass by itself")
    func permanent() async throws {
        for fault in [LedgerFault.olderSchema(found: 0, needed: 1), .storage("settings"), .corrupt("x"), .full] {
            let opened = try await open([fault])
            #expect(opened.fault == fault && opened.time == .zero && opened.warnings == [])
        }
        let folder = try await open([.readOnly], isForOneService: true)
        #expect(folder.fault == .readOnly && folder.time == .zero)
    }
}

/// A ledger in a file that cannot be opened at first.
private struct FailingLedgerKind: LedgerKind {
    let isForOneService: Bool
    private let faults: Guarded<[LedgerFault]>

    init(_ faults: [LedgerFault], isForOneService: Bool) {
        self.faults = Guarded(faults)
        self.isForOneService = isForOneService
    }

    init?(_ configuration: ServiceConfiguration) { nil }

    func exists(in folder: DataFolder) -> Bool { true }

    func open(in folder: DataFolder, for access: LedgerAccess) async throws(LedgerFault) -> any Ledger {
        if let fault = faults.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw fault }
        return try await SQLiteLedgerKind().open(in: folder, for: access)
    }

    func migrate(in folder: DataFolder, _ told: (String) -> Void) async throws(LedgerFault) {}

    func steps(in folder: DataFolder) async throws(LedgerFault) -> (applied: AppliedSchema, known: [String]) {
        (AppliedSchema(steps: []), [])
    }

    func advice(in folder: DataFolder) async throws(LedgerFault) -> String? { nil }

    func openToCopy(in folder: DataFolder) async throws(LedgerFault) -> any RecordStore & Ledger {
        try await SQLiteLedgerKind().openToCopy(in: folder)
    }
}
