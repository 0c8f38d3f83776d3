public import Contracts
import Platform
import LedgerRecords
import PostgreSQLStorage

/// Wakes those who wait for a change of the accounts: when the server tells of one, and every two seconds, since nothing
/// is heard while a connection is lost.
final class RevisionWatch: Sendable {
    static let channel = "lightning_responder_accounts"

    private let database: Database
    private let wakeSignal = WakeSignal()
    /// Connected when somebody first waits.
    private let listener = Guarded<NotificationListener?>(nil)

    init(_ database: Database) {
        self.database = database
    }

    func waiting() -> WakeSignal.Listener {
        let waiting = WakeSignal.Listener(to: wakeSignal, ticks: Self.ticks())
        listener.withLock { listener in
            guard listener == nil else { return }
            listener = database.listen(to: Self.channel) { [wakeSignal] in wakeSignal.wake() }
        }
        return waiting
    }

    func end() {
        listener.withLock { $0 = nil }
    }

    private static func ticks() -> AsyncStream<Void> {
        AsyncStream {
            try? await Task.sleep(for: .seconds(2))
            return Task.isCancelled ? nil : ()
        }
    }
}

extension ServerLedger {
    /// A number that increases with every change of an account or a domain.
    public func accountsRevision() async throws(LedgerFault) -> UInt64 {
        let revision = try await first("SELECT revision FROM accounts_revision") { row throws(StorageFault) in
            try row.unsigned(0)
        }
        guard let revision else { throw .corrupt("the revision of the accounts is gone") }
        return revision
    }

    /// Waits until the server tells of a change, or for two seconds at a time.
    public func accountsRevision(otherThan known: UInt64) async throws(LedgerFault) -> UInt64 {
        let waiting = revisionWatch.waiting()
        while true {
            let revision = try await accountsRevision()
            guard revision == known, await waiting.isWoken() else { return revision }
        }
    }
}
