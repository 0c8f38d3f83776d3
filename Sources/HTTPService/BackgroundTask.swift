import LightningCoding
import Logging
import RateLimiting
import Contracts
import ResponderCore
import ServiceLifecycle

/// A task that runs until the service shuts down, which cancels it.
struct BackgroundTask: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }
}

/// Deletes unpaid invoices some time after they expire.
struct ExpiryWatch: Service {
    let removal: ExpiredInvoiceRemoval
    let clock: WallClock
    let logger: Logger

    /// How often they are looked for.
    static let interval = Duration.seconds(60)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let count = try await removal.round(at: clock())
                    if count > 0 { logger.info("expired invoices deleted", metadata: ["count": "\(count)"]) }
                } catch {
                    logger.warning("expired invoices not deleted", metadata: ["cause": "\(error.readableReason)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}

/// Polls for changes that other processes make to ledger and keys, and prunes old records.
struct LedgerWatch: Service {
    let responder: Responder
    let noticeImports: @Sendable () throws -> Void
    let clock: WallClock
    let logger: Logger

    /// How soon an account change by another process is seen.
    static let interval = Duration.milliseconds(250)
    /// How often expired challenges are pruned, in seconds.
    static let pruning: UInt64 = 60
    /// How long the event log keeps a notification: 30 days, in seconds.
    static let eventLifetime: UInt64 = 2_592_000
    /// How many notifications the event log keeps at most.
    static let maximumEvents: UInt64 = 100_000

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var prunedAt = clock()
            let notices = RepeatedLines<String>()
            while !Task.isCancelled {
                await step(prunedAt: &prunedAt, notices)
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func step(prunedAt: inout UnixTime, _ notices: RepeatedLines<String>) async {
        do {
            try noticeImports()
        } catch {
            notices.note("imports") { [logger] times in
                logger.warning(
                    "cannot read imported keys", metadata: ["cause": "\(error.readableReason)"].repeated(times))
            }
        }
        do {
            try await responder.accounts.refresh()
            let now = clock()
            guard now.seconds(since: prunedAt) >= Self.pruning else { return }
            prunedAt = now
            _ = try await responder.ledger.prune(before: now)
            let oldest = UnixTime(now.seconds(since: UnixTime(Self.eventLifetime)))
            _ = try await responder.ledger.pruneEvents(before: oldest, keeping: Self.maximumEvents)
        } catch {
            notices.note("ledger") { [logger] times in
                logger.warning("cannot read the ledger", metadata: ["cause": "\(error.readableReason)"].repeated(times))
            }
        }
    }
}
