import CoreMetrics
import LightningCoding
import Logging
import Platform
import ResponderCore
import ResponderModel

/// Carries out the outbox, while this instance holds its lease.
struct OutboxService: Sendable {
    private let runners: [OutboxRunner]
    private let pushes: PushDelivery?
    private let devices: DeviceSender?
    private let observer: OutboxObserver

    /// Notifications are resumed at once, or retried every second while the queue is full, until their deadline.
    private static let notificationSchedule = RetrySchedule(pauses: [UInt64](repeating: 1, count: 1_000))
    /// A push is useful for a day; a provider's outage is over sooner. The last pause ends after the day: an event expires
    /// rather than being parked.
    private static let pushSchedule = RetrySchedule(
        pauses: [10, 60, 900, 900, 3_600, 3_600, 14_400, 14_400, 28_800, 28_800])
    /// Longer than the longest deadline of a notification.
    private static let notificationLease: UInt64 = 180

    init(
        _ ledger: any Ledger, settlementWebhooks: SettlementWebhookSender?,
        notifications: AcceptedNotifications?, pushes: PushDelivery? = nil, devices: DeviceSender? = nil,
        instance: InstanceID,
        backends: [BackendName: any ReceiveBackend],
        metrics: any MetricsFactory,
        clock: @escaping WallClock, logger: Logger
    ) {
        let observer = OutboxObserver(metrics: metrics, logger: logger)
        let mismatches = MismatchObserver(of: backends.keys, metrics: metrics, logger: logger)
        let mismatched = MismatchedInvoices(ledger: ledger, backends: backends, clock: clock)
        var runners = [
            OutboxRunner(
                .init(.invoiceMismatch, holder: instance.text), of: ledger, clock: clock,
                carryOut: { await mismatched.carryOut($0) },
                report: {
                    observer.count($0)
                    mismatches.note($0)
                }, noteFault: { observer.note($0) })
        ]
        if let sender = settlementWebhooks {
            runners.append(
                OutboxRunner(
                    .init(.settlementWebhook, holder: instance.text), of: ledger, clock: clock,
                    carryOut: { await sender.carryOut($0) }, report: { observer.note($0) },
                    noteFault: { observer.note($0) }))
        }
        if let notifications {
            runners.append(
                OutboxRunner(
                    .init(
                        .notification, holder: instance.text, concurrency: 1_024, lease: Self.notificationLease,
                        schedule: Self.notificationSchedule
                    ), of: ledger, clock: clock, carryOut: { await notifications.takeUp($0, logger) },
                    report: { observer.note($0) }, noteFault: { observer.note($0) }))
        }
        if let pushes {
            runners.append(
                OutboxRunner(
                    .init(.push, holder: instance.text, concurrency: 64, schedule: Self.pushSchedule), of: ledger,
                    clock: clock, carryOut: { await pushes.carryOut($0) }, report: { observer.note($0) },
                    noteFault: { observer.note($0) }))
        }
        let ofDevices: [(OutboxKind, @Sendable (DeviceSender, OutboxWork) async -> OutboxOutcome)] = [
            (.deviceMessage, { await $0.tell($1) }), (.deviceWake, { await $0.wake($1) }),
            (.ownerPayment, { await $0.tellOwner($1) }), (.registrationRemoval, { await $0.tellOfRemoval($1) }),
        ]
        for (kind, carryOut) in ofDevices {
            runners.append(
                OutboxRunner(
                    .init(kind, holder: instance.text, concurrency: 64, schedule: Self.pushSchedule), of: ledger,
                    clock: clock,
                    carryOut: { work in
                        guard let devices else { return .dropped("no push provider is configured any more") }
                        return await carryOut(devices, work)
                    }, report: { observer.note($0) }, noteFault: { observer.note($0) }))
        }
        self.pushes = pushes
        self.devices = devices
        self.observer = observer
        self.runners = runners
        ledger.observers.add { [runners] fact in
            switch fact {
            case .issued: break
            case .unrecordedMismatch(let mismatch): mismatches.note(unrecorded: mismatch)
            case .settled, .workDue: for runner in runners { runner.wake() }
            }
        }
    }

    /// Works until cancelled, or until the lease `outbox` is lost.
    func run(under lease: Lease) async {
        await withTaskGroup(of: Void.self) { group in
            for runner in runners { group.addTask { await runner.run(under: lease) } }
            if let devices { group.addTask { await wake(devices) } }
            if let pushes { group.addTask { await forgetExpired(pushes, under: lease) } }
            await group.next()
            group.cancelAll()
        }
    }
}

extension OutboxService {
    /// How often it looks for devices that are to catch up.
    private static let catchUpInterval = Duration.seconds(10)

    /// How often it removes parked push messages that have expired.
    private static let forgettingInterval = Duration.seconds(600)

    private func forgetExpired(_ pushes: PushDelivery, under lease: Lease) async {
        repeat {
            do throws(LedgerFault) {
                try await pushes.forgetExpired(under: lease)
            } catch {
                observer.note(error)
            }
        } while (try? await Task.sleep(for: Self.forgettingInterval)) != nil
    }

    private func wake(_ devices: DeviceSender) async {
        repeat {
            do throws(LedgerFault) {
                try await devices.wakeForCatchUp()
            } catch {
                observer.note(error)
            }
        } while (try? await Task.sleep(for: Self.catchUpInterval)) != nil
    }
}

/// Counts attempts at outbox work, and logs failures.
struct OutboxObserver: Sendable {
    private let metrics: any MetricsFactory
    private let logger: Logger
    private let faults = RepeatedLines<String>()
    private let attempts = RepeatedLines<AttemptLine>()

    /// Attempts that share a line: anybody can cause any number of them.
    private struct AttemptLine: Hashable {
        let kind: OutboxKind
        let outcome: String
        let reason: String?
    }

    init(metrics: any MetricsFactory, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    /// Work that cannot be claimed is not attempted at all.
    func note(_ fault: LedgerFault) {
        faults.note(fault.reason) { [logger] times in
            logger.error("cannot read the outbox", metadata: ["cause": .string(fault.reason)].repeated(times))
        }
    }

    func count(_ attempt: OutboxAttempt) {
        Counter(
            label: "responder_outbox_attempts_total",
            dimensions: [("kind", attempt.work.kind.rawValue), ("outcome", attempt.outcome.words.0)], factory: metrics
        ).increment()
    }

    func note(_ attempt: OutboxAttempt) {
        count(attempt)
        let (outcome, reason) = attempt.outcome.words
        var details: Logger.Metadata = [
            "id": "\(attempt.work.id)", "kind": "\(attempt.work.kind)", "attempts": "\(attempt.work.attempts)",
        ]
        details["account"] = attempt.work.account.map { "\($0)" }
        if let reason { details["cause"] = "\(reason)" }
        let line: (level: Logger.Level, text: Logger.Message)? =
            switch attempt.outcome {
            case .carriedOut, .recorded, .continued: nil
            case .dropped: (.notice, "outbox entry dropped")
            case .failed, .postponed: (.warning, "outbox entry failed")
            case .refused: (.error, "outbox entry parked")
            }
        if let line { write(line.level, line.text, outcome, reason, details, of: attempt.work.kind) }
        if let fault = attempt.ledgerFault {
            details["cause"] = .string(fault.reason)
            write(.error, "outbox entry not recorded", "not recorded", fault.reason, details, of: attempt.work.kind)
        }
    }

    /// Writes one line a minute for each kind of work and cause, with the first entry that it is about.
    private func write(
        _ level: Logger.Level, _ text: Logger.Message, _ outcome: String, _ reason: String?,
        _ details: Logger.Metadata, of kind: OutboxKind
    ) {
        attempts.note(AttemptLine(kind: kind, outcome: outcome, reason: reason)) { [logger] times in
            logger.log(level: level, text, metadata: details.repeated(times))
        }
    }
}

extension OutboxOutcome {
    fileprivate var words: (String, reason: String?) {
        switch self {
        case .carriedOut, .recorded: ("done", nil)
        case .continued: ("continued", nil)
        case .dropped(let reason): ("dropped", reason)
        case .failed(let reason), .postponed(_, let reason): ("failed", reason)
        case .refused(let reason): ("refused", reason)
        }
    }
}
