package import LedgerRecords
import Platform
package import ResponderModel

package protocol LedgerKind: Sendable {
    /// Whether the lock of the data folder keeps other services off the ledger.
    var isForOneService: Bool { get }

    func exists(in folder: DataFolder) -> Bool

    /// Opens the ledger; for writing, a missing one is created.
    func open(in folder: DataFolder, for access: LedgerAccess) async throws(LedgerFault) -> any Ledger

    /// Makes the ledger's tables, or brings them up to date.
    ///
    /// - Parameter told: called with the name of each step once it is made.
    func migrate(in folder: DataFolder, _ told: (String) -> Void) async throws(LedgerFault)

    /// The steps that the tables have, and the names of those that this software knows.
    func steps(in folder: DataFolder) async throws(LedgerFault) -> (applied: AppliedSchema, known: [String])

    /// What the operator should change about the ledger's server; nil when nothing.
    func advice(in folder: DataFolder) async throws(LedgerFault) -> String?

    /// Opens the ledger, so that its records can be copied as they are.
    func openToCopy(in folder: DataFolder) async throws(LedgerFault) -> any RecordStore & Ledger
}

package enum LedgerAccess: Sendable {
    /// Reading and writing by the service, which holds the lock of the data folder.
    case serving
    case writing
    /// A command that only reads: the ledger is migrated when it is writable, else read as it is.
    case reading
}

extension LedgerKind {
    /// Opens the ledger for the service, and waits for one that is not there yet.
    ///
    /// - Parameters:
    ///   - time: how long it waits.
    ///   - warn: is told once that it waits, and why.
    func open(
        in folder: DataFolder, within time: Duration, _ clock: MonotonicClock, _ warn: (String) -> Void
    ) async throws(LedgerFault) -> any Ledger {
        let deadline = clock.now() + time
        var isWaiting = false
        while true {
            do throws(LedgerFault) {
                return try await open(in: folder, for: .serving)
            } catch let fault where isPassing(fault) && clock.now() < deadline {
                if !isWaiting {
                    warn("waiting up to \(time.components.seconds) s: \(fault.reason)")
                    isWaiting = true
                }
                guard (try? await clock.sleep(clock.now() + .seconds(1))) != nil else { throw fault }
            }
        }
    }

    /// Whether a later attempt may succeed. During a failover no server may take writes.
    private func isPassing(_ fault: LedgerFault) -> Bool {
        switch fault {
        case .busy, .noConnection, .unreachable: true
        case .readOnly: !isForOneService
        default: false
        }
    }
}

extension ServiceConfiguration {
    package var ledgerKind: any LedgerKind {
        self.ledger.url.map { PostgreSQLLedgerKind(url: $0, self) } ?? SQLiteLedgerKind()
    }

    package func openLedger(
        in folder: DataFolder, for access: LedgerAccess
    ) async throws(CommandFailure) -> any Ledger {
        try await CommandFailure.asking(await ledgerKind.open(in: folder, for: access))
    }

    package func openUsedLedger(for access: LedgerAccess) async throws(CommandFailure) -> any Ledger {
        try await openLedger(in: try DataFolder.used(by: self), for: access)
    }
}
