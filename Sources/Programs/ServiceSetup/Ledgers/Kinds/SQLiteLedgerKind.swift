package import LedgerRecords
package import ResponderModel
import SQLiteLedger

/// A file in the data folder: the ledger of every installation that configures no other.
package struct SQLiteLedgerKind: LedgerKind {
    package var isForOneService: Bool { true }

    package func exists(in folder: DataFolder) -> Bool { folder.hasLedger }

    package func open(in folder: DataFolder, for access: LedgerAccess) async throws(LedgerFault) -> any Ledger {
        // The tables are not changed beneath a service that knows others.
        let isFree = access == .serving || !ServiceLock.isHeld(at: folder.serviceLock)
        do throws(LedgerFault) {
            return try await LedgerDatabase.open(at: folder.ledger, migrating: isFree)
        } catch .readOnly where access == .reading {
            return try await LedgerDatabase.openReadOnly(at: folder.ledger)
        }
    }

    /// Whoever opens the file migrates it, unless a service runs.
    package func migrate(in folder: DataFolder, _ told: (String) -> Void) async throws(LedgerFault) {
        try await open(in: folder, for: .writing).close()
    }

    package func steps(
        in folder: DataFolder
    ) async throws(LedgerFault) -> (applied: AppliedSchema, known: [String]) {
        try await open(in: folder, for: .reading).close()
        let names = LedgerDatabase.migrations
        return (AppliedSchema(steps: names.map { .init(name: $0, oldestProgram: names.count) }), names)
    }

    package func advice(in folder: DataFolder) async throws(LedgerFault) -> String? { nil }

    package func openToCopy(in folder: DataFolder) async throws(LedgerFault) -> any RecordStore & Ledger {
        try await LedgerDatabase.open(at: folder.ledger)
    }
}
