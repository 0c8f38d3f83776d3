import LightningCoding
import Logging
import RateLimiting
import Contracts
import ResponderCore
import ServiceLifecycle

/// Work without an end of its own; it is cancelled when the service is told to stop.
struct BackgroundTask: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }
}

/// Forgets what was never paid, a while after it could be.
struct ExpiryWatch: Service {
    let removal: ExpiredInvoiceRemoval
    let clock: WallClock
    let logger: Logger

    /// How often it is looked for.
    static let interval = Duration.seconds(60)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let count = try await removal.round(at: clock())
                    if count > 0 { logger.info("expired invoices forgotten", metadata: ["count": "\(count)"]) }
                } catch {
                    logger.warning("expired invoices not forgotten", metadata: ["cause": "\(error.readableReason)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}

/// Looks now and then at what other processes have done to ledger and keys, and tidies up after time has passed.
struct LedgerWatch: Service {
    let responder: Responder
    let noticeImports: @Sendable () throws -> Void
    let clock: WallClock
    let logger: Logger

    /// How soon a change of an account by another process is seen.
    static let interval = Duration.milliseconds(250)
    /// How often used challenges are looked through for those whose time is over.
    static let pruning: UInt64 = 60
    /// How long the event log remembers a notification: 30 days.
    static let eventLifetime: UInt64 = 2_592_000
    /// How many notifications the event log remembers at the most.
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
                    "imported keys not readable", metadata: ["cause": "\(error.readableReason)"].repeated(times))
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
                logger.warning("ledger not readable", metadata: ["cause": "\(error.readableReason)"].repeated(times))
            }
        }
    }
}
