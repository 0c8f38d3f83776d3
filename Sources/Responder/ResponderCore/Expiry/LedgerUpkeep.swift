package import LightningCoding
package import ResponderModel

/// What one instance at a time does now and then.
package struct UpkeepTask: Sendable {
    let interval: Duration
    /// Whether it decides by the age of something: it waits until the clock can be trusted to tell that.
    let needsSteadyClock: Bool
    package let warning: String
    let round: @Sendable (UnixTime, Lease) async throws -> Void

    package init(
        every interval: Duration = .seconds(60), needsSteadyClock: Bool = true, warning: String,
        _ round: @escaping @Sendable (UnixTime, Lease) async throws -> Void
    ) {
        self.interval = interval
        self.needsSteadyClock = needsSteadyClock
        self.warning = warning
        self.round = round
    }
}

/// Does what the ledger needs now and then, such as to delete what is no longer needed. Each task is apart from the others:
/// one asks nodes, which may be slow, another may take minutes.
package struct LedgerUpkeep: Sendable {
    private let tasks: [UpkeepTask]
    private let clock: WallClock
    private let isSteady: @Sendable () async -> Bool
    private let noteFailure: @Sendable (UpkeepTask, any Error) -> Void

    /// - Parameters:
    ///   - isSteady: whether the clock can be trusted to tell what is old; see `LedgerClock.isSteady()`.
    package init(
        _ tasks: [UpkeepTask], clock: @escaping WallClock, isSteady: @escaping @Sendable () async -> Bool = { true },
        noteFailure: @escaping @Sendable (UpkeepTask, any Error) -> Void
    ) {
        self.tasks = tasks
        self.clock = clock
        self.isSteady = isSteady
        self.noteFailure = noteFailure
    }

    /// Works until canceled, or until the lease `upkeep` is lost.
    package func run(under lease: Lease) async {
        await withTaskGroup(of: Void.self) { group in
            for task in tasks { group.addTask { await repeating(task, under: lease) } }
            await group.next()
            group.cancelAll()
        }
    }

    private func repeating(_ task: UpkeepTask, under lease: Lease) async {
        repeat {
            do {
                let isDue = task.needsSteadyClock ? await isSteady() : true
                if isDue { try await task.round(clock(), lease) }
            } catch LedgerFault.leaseLost {
                return
            } catch {
                // What takes long ends with the service.
                guard !Task.isCancelled else { return }
                noteFailure(task, error)
            }
        } while (try? await Task.sleep(for: task.interval)) != nil
    }
}

extension UpkeepTask {
    /// How long the event log keeps a notification: 30 days, in seconds.
    private static let eventLifetime: UInt64 = 2_592_000
    private static let maximumEvents: UInt64 = 100_000
    /// How long messages are kept, and devices whose address was lost: 90 days, in seconds.
    private static let messageLifetime: UInt64 = 7_776_000

    /// What every ledger needs: old events and what has expired are deleted, also parked work, and the ledger is arranged.
    package static func standard(_ ledger: any InvoiceLedger & EventLedger) -> [UpkeepTask] {
        [
            UpkeepTask(warning: "expired records not deleted") { now, lease in
                let oldest = UnixTime(now.seconds(since: UnixTime(eventLifetime)))
                _ = try await ledger.pruneEvents(before: oldest, keeping: maximumEvents, under: lease)
                _ = try await ledger.prune(before: now, under: lease)
            },
            // Pending ones end by themselves. A parked notification is one that cannot be read, which an operator has to see.
            UpkeepTask(warning: "expired outbox entries not deleted") { now, lease in
                for kind in OutboxKind.all where kind != .notification {
                    while try await ledger.forgetParked(kind, limit: 1000, at: now, under: lease) > 0 {}
                }
            },
            UpkeepTask(warning: "ledger maintenance failed") { now, lease in
                try await ledger.arrange(at: now, under: lease)
            },
        ]
    }

    package static func removingInvoices(
        _ removal: ExpiredInvoiceRemoval, noteRemoved: @escaping @Sendable (Int) -> Void
    ) -> UpkeepTask {
        UpkeepTask(warning: "expired invoices not deleted") { now, lease in
            var count: Int
            repeat {
                count = try await removal.round(at: now, under: lease)
                if count > 0 { noteRemoved(count) }
            } while count > 0 && removal.isBehind && !Task.isCancelled
        }
    }

    package static func removingMessages(_ ledger: any DeviceLedger) -> UpkeepTask {
        UpkeepTask(warning: "old messages not deleted") { now, lease in
            let oldest = UnixTime(now.seconds(since: UnixTime(messageLifetime)))
            _ = try await ledger.pruneMessages(before: oldest, under: lease)
        }
    }

    package static func removingRegistrations(
        _ ledger: any RegistrationLedger, _ retention: RegistrationRetention
    ) -> UpkeepTask {
        UpkeepTask(warning: "old registrations not deleted") { now, lease in
            while try await ledger.pruneRegistrations(retention, at: now, under: lease) >= RegistrationRetention.batch {
            }
        }
    }
}
