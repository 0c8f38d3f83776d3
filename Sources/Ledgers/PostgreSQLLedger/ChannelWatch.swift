package import ResponderModel
import Platform
import LedgerRecords

/// Wakes those who wait for something: when the server tells of it on a channel, and from time to time, since nothing is
/// heard while a connection is lost.
final class ChannelWatch: Sendable {
    let channel: String

    private let database: Database
    private let interval: Duration
    private let wakeSignal = WakeSignal()
    /// Connected when somebody first waits.
    let listener = Guarded<NotificationListener?>(nil)

    /// - Parameter interval: the longest time without a look.
    init(_ channel: String, of database: Database, interval: Duration) {
        self.channel = channel
        self.database = database
        self.interval = interval
    }

    func waiting() -> WakeSignal.Listener {
        let waiting = WakeSignal.Listener(to: wakeSignal, ticks: ticks)
        listener.withLock { listener in
            guard listener == nil else { return }
            listener = database.listen(to: channel) { [wakeSignal] in wakeSignal.wake() }
        }
        return waiting
    }

    func end() {
        listener.withLock { $0 = nil }
    }

    private var ticks: AsyncStream<Void> {
        AsyncStream { [interval] in
            try? await Task.sleep(for: interval)
            return Task.isCancelled ? nil : ()
        }
    }
}

extension ServerLedger {
    static let revisionChannel = "lightning_responder_accounts"

    /// Waits until the server tells of a change, or for two seconds at a time.
    package func accountsRevision(otherThan known: UInt64) async throws(LedgerFault) -> UInt64 {
        let waiting = revisionWatch.waiting()
        while true {
            let revision = try await accountsRevision()
            guard revision == known, await waiting.isWoken() else { return revision }
        }
    }
}
