import LightningCoding
import Logging
import Contracts
import ResponderCore
import ServiceLifecycle

/// Deletes what is no longer needed: unpaid invoices some time after they expire, expired challenges, old events.
struct LedgerUpkeep: Service {
    let ledger: any InvoiceLedger & EventLedger
    let removal: ExpiredInvoiceRemoval
    /// Registrations of app users; nil when there are none.
    var gateway: Gateway?
    let clock: WallClock
    let logger: Logger

    /// How often it looks.
    static let interval = Duration.seconds(60)
    /// How long the event log keeps a notification: 30 days, in seconds.
    static let eventLifetime: UInt64 = 2_592_000
    /// How many notifications the event log keeps at most.
    static let maximumEvents: UInt64 = 100_000

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // Apart, since the removal of invoices asks the nodes, which may be slow.
            async let removal: Void = repeating(removeInvoices)
            await repeating(prune)
            await removal
        }
    }

    private func repeating(_ round: (UnixTime) async -> Void) async {
        repeat { await round(clock()) } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    private func prune(at now: UnixTime) async {
        await attempt { _ = try await ledger.prune(before: now) }
        let oldest = UnixTime(now.seconds(since: UnixTime(Self.eventLifetime)))
        await attempt { _ = try await ledger.pruneEvents(before: oldest, keeping: Self.maximumEvents) }
        guard let gateway else { return }
        await attempt { _ = try await gateway.ledger.pruneRegistrations(gateway.retention, at: now) }
    }

    private func removeInvoices(at now: UnixTime) async {
        await attempt {
            let count = try await removal.round(at: now)
            if count > 0 { logger.info("expired invoices deleted", metadata: ["count": "\(count)"]) }
        }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            logger.warning("expired records not deleted", metadata: ["cause": "\(error.readableReason)"])
        }
    }
}
