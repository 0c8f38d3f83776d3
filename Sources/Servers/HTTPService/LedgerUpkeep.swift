import LightningCoding
import Logging
import ResponderCore
import ResponderModel

/// Deletes what is no longer needed: unpaid invoices some time after they expire, expired challenges, old events.
struct LedgerUpkeep: Sendable {
    let ledger: any InvoiceLedger & EventLedger
    let removal: ExpiredInvoiceRemoval
    /// Registrations of app users; nil when there are none.
    var gateway: Gateway?
    /// Messages for devices; nil when there are none.
    var devices: (any DeviceLedger)?
    let clock: WallClock
    /// Whether the clock can be trusted to tell what is old; see `LedgerClock.isSteady()`.
    var isSteady: @Sendable () async -> Bool = { true }
    let logger: Logger

    /// How often it looks.
    static let interval = Duration.seconds(60)
    /// How long the event log keeps a notification: 30 days, in seconds.
    static let eventLifetime: UInt64 = 2_592_000
    /// How long messages are kept, and devices whose address was lost: 90 days, in seconds.
    static let messageLifetime: UInt64 = 7_776_000
    /// How many notifications the event log keeps at most.
    static let maximumEvents: UInt64 = 100_000

    /// Works until cancelled, or until the lease `upkeep` is lost.
    func run(under lease: Lease) async {
        await withTaskGroup(of: Void.self) { group in
            // Apart, since the removal of invoices asks the nodes, which may be slow.
            group.addTask {
                await repeating("expired invoices not deleted") { try await removeInvoices(at: $0, lease) }
            }
            group.addTask { await repeating("expired records not deleted") { try await prune(at: $0, lease) } }
            // Apart, since it may take minutes.
            group.addTask {
                await repeating("ledger not arranged") { try await ledger.arrange(at: $0, under: lease) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// - Parameter message: what is logged when a round fails.
    private func repeating(_ message: Logger.Message, _ round: (UnixTime) async throws -> Void) async {
        repeat {
            do {
                if await isSteady() { try await round(clock()) }
            } catch LedgerFault.leaseLost {
                return
            } catch {
                // What takes long ends with the service.
                guard !Task.isCancelled else { return }
                logger.warning(message, metadata: ["cause": "\(error.readableReason)"])
            }
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    private func prune(at now: UnixTime, _ lease: Lease) async throws {
        let oldest = UnixTime(now.seconds(since: UnixTime(Self.eventLifetime)))
        _ = try await ledger.pruneEvents(before: oldest, keeping: Self.maximumEvents, under: lease)
        _ = try await ledger.prune(before: now, under: lease)
        let dated = UnixTime(now.seconds(since: UnixTime(Self.messageLifetime)))
        _ = try await devices?.pruneMessages(before: dated, under: lease)
        guard let gateway else { return }
        while try await gateway.ledger.pruneRegistrations(gateway.retention, at: now, under: lease)
            >= RegistrationRetention.batch
        {}
    }

    private func removeInvoices(at now: UnixTime, _ lease: Lease) async throws {
        var count: Int
        repeat {
            count = try await removal.round(at: now, under: lease)
            if count > 0 { logger.info("expired invoices deleted", metadata: ["count": "\(count)"]) }
        } while count > 0 && removal.isBehind && !Task.isCancelled
    }
}
