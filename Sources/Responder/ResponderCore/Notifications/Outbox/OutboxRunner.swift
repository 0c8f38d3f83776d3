package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

/// Carries out one kind of outbox work, at least once, until canceled. Starts at once on work that this process adds,
/// and polls for work added by others.
package struct OutboxRunner: Sendable {
    private let outbox: any Outbox
    private let handler: any OutboxHandler
    private let policy: OutboxPolicy
    private let holder: String
    private let clock: WallClock
    private let sleep: @Sendable (Duration) async throws -> Void
    private let random: RandomSource
    private let report: @Sendable (OutboxAttempt) -> Void
    private let noteFault: @Sendable (LedgerFault) -> Void
    /// Of the current run.
    private let inbox = Guarded<AsyncStream<OutboxAgenda.Event>.Continuation?>(nil)
    /// The claims whose attempts are on their way.
    private let inHand = Guarded<Set<OutboxWork>>([])

    /// - Parameters:
    ///   - holder: who claims the work: the id of the instance.
    ///   - sleep: waits until the next poll.
    ///   - noteFault: receives each fault that kept work from being claimed.
    package init(
        _ handler: any OutboxHandler,
        of outbox: any Outbox,
        holder: String,
        clock: @escaping WallClock = { .now() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping RandomSource = SystemRandom.bytes,
        report: @escaping @Sendable (OutboxAttempt) -> Void = { _ in },
        noteFault: @escaping @Sendable (LedgerFault) -> Void = { _ in }
    ) {
        self.handler = handler
        self.outbox = outbox
        self.policy = handler.policy
        self.holder = holder
        self.clock = clock
        self.sleep = sleep
        self.random = random
        self.report = report
        self.noteFault = noteFault
    }

    /// How often to look for work added by other processes, in seconds.
    private static let interval: UInt64 = 2

    package func wake() {
        tell(.woke)
    }

    private func tell(_ event: OutboxAgenda.Event) {
        _ = inbox.withLock { $0?.yield(event) }
    }

    /// Runs until canceled, or until the lease is lost; once at a time. Unfinished work stays claimed.
    ///
    /// - Parameter lease: the lease `outbox`.
    package func run(under lease: Lease) async {
        let (events, inbox) = AsyncStream<OutboxAgenda.Event>.makeStream()
        self.inbox.withLock { $0 = inbox }
        defer { self.inbox.withLock { $0 = nil } }
        var agenda = OutboxAgenda(concurrency: policy.concurrency, interval: Self.interval)
        // Of earlier holders of the lease, or of a call whose outcome nobody knows.
        var mayHaveStrayClaims = true
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        inbox.yield(.woke)
        await withDiscardingTaskGroup { group in
            for await event in events {
                switch agenda.on(event, at: clock()) {
                case .claim(let limit):
                    do throws(LedgerFault) {
                        if mayHaveStrayClaims {
                            try await freeClaims(under: lease)
                            mayHaveStrayClaims = false
                        }
                        for work in try await claim(limit, under: lease) {
                            group.addTask { await attempt(work) }
                        }
                    } catch {
                        if error == .outcomeUnknown { mayHaveStrayClaims = true }
                        guard error != .leaseLost else { return group.cancelAll() }
                        noteFault(error)
                        inbox.yield(.failed)
                    }
                case .wait(let moment):
                    timer?.cancel()
                    let pause = Duration.seconds(Int64(clamping: moment.seconds(since: clock())))
                    timer = Task { [sleep] in
                        if (try? await sleep(pause)) != nil { inbox.yield(.woke) }
                    }
                case nil: break
                }
            }
            group.cancelAll()
        }
    }

    /// The work itself may have ended whoever had claimed it: the next attempt follows as on one that has failed, so that it ends
    /// nobody again at once, and what was in hand beside it is not given up for a few crashes.
    private func freeClaims(under lease: Lease) async throws(LedgerFault) {
        try await outbox.freeClaims(
            of: handler.kind, for: holder, except: Set(inHand.withLock { $0.map(\.id) }), under: lease
        ) { [policy, random, now = clock()] work in
            let pause = policy.schedule.pause(after: work.attempts, random: random) ?? 0
            // What is of use for a minute, such as a wake, is not put off for longer.
            guard let deadline = work.deadline, deadline > now else { return now.adding(seconds: pause) }
            return now.adding(seconds: min(pause, max(2, deadline.seconds(since: now) / 10)))
        }
    }

    /// Makes one attempt at what is due now, beside whoever holds the lease.
    package func runOnce() async {
        do throws(LedgerFault) {
            let due = try await claim(policy.concurrency, under: nil)
            await withDiscardingTaskGroup { group in
                for work in due { group.addTask { await attempt(work) } }
            }
        } catch {
            noteFault(error)
        }
    }

    private func claim(_ limit: Int, under lease: Lease?) async throws(LedgerFault) -> [OutboxWork] {
        let now = clock()
        let claim = try await outbox.claim(
            handler.kind, limit: limit, for: holder, at: now, until: now.adding(seconds: policy.lease),
            under: lease)
        inHand.withLock { $0.formUnion(claim.work) }
        tell(.claimed(claim.work.count, nextDue: claim.nextDue))
        return claim.work
    }

    private func attempt(_ work: OutboxWork) async {
        // Whoever had it was ended in its last attempt, maybe by the work itself.
        let outcome: OutboxOutcome =
            if policy.schedule.allows(work.attempts) {
                await handler.carryOut(work)
            } else {
                .refused("its last attempt was interrupted")
            }
        defer {
            _ = inHand.withLock { $0.remove(work) }
            tell(.finished)
        }
        guard !Task.isCancelled || outcome.isFinal else { return }
        var fault: LedgerFault?
        do {
            try await write(outcome, of: work)
        } catch {
            fault = error
        }
        report(OutboxAttempt(work: work, outcome: outcome, ledgerFault: fault))
    }

    private func write(_ outcome: OutboxOutcome, of work: OutboxWork) async throws(LedgerFault) {
        let now = clock()
        switch outcome {
        case .carriedOut, .dropped: try await outbox.remove(work.id)
        case .recorded: break
        case .continued(let moment):
            try await outbox.reschedule(work, until: moment, because: "its next step is not due yet")
        case .refused(let reason): try await outbox.park(work, at: now, because: reason)
        case .failed(let reason): try await retry(work, after: 0, at: now, because: reason)
        case .postponed(let seconds, let reason): try await retry(work, after: seconds, at: now, because: reason)
        }
    }

    private func retry(
        _ work: OutboxWork, after seconds: UInt64, at now: UnixTime, because reason: String
    ) async throws(LedgerFault) {
        guard let pause = policy.schedule.pause(after: work.attempts, random: random) else {
            return try await outbox.park(work, at: now, because: reason)
        }
        try await outbox.postpone(work, until: now.adding(seconds: max(pause, seconds)), because: reason)
    }
}

package struct OutboxAttempt: Sendable {
    /// The work; `attempts` includes this one.
    package let work: OutboxWork
    package let outcome: OutboxOutcome
    /// Why the result could not be stored; nil when it was. The work is retried when the claim expires.
    package let ledgerFault: LedgerFault?
}

/// Carries out all kinds of work that have a handler, while this instance holds the lease. Other work stays.
package struct OutboxService: Sendable {
    private let runners: [OutboxRunner]

    /// - Parameters:
    ///   - holder: who claims the work: the id of the instance.
    ///   - noteFault: receives each fault that kept work from being claimed.
    package init(
        _ ledger: any Ledger, _ handlers: [any OutboxHandler], holder: String, clock: @escaping WallClock,
        report: @escaping @Sendable (OutboxAttempt) -> Void, noteFault: @escaping @Sendable (LedgerFault) -> Void
    ) {
        runners = handlers.map {
            OutboxRunner($0, of: ledger, holder: holder, clock: clock, report: report, noteFault: noteFault)
        }
        ledger.observers.add { [runners] fact in
            switch fact {
            case .issued, .unrecordedMismatch: break
            case .settled, .workDue: for runner in runners { runner.wake() }
            }
        }
    }

    /// Works until canceled, or until the lease `outbox` is lost.
    package func run(under lease: Lease) async {
        await withTaskGroup(of: Void.self) { group in
            for runner in runners { group.addTask { await runner.run(under: lease) } }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Decides when to claim work from an outbox, and how much: a pure state machine. Never claims more than there are free
/// slots.
struct OutboxAgenda: Sendable {
    enum Event: Hashable, Sendable {
        /// There may be new work, or a wait is over.
        case woke
        /// So much was claimed; the next is due at that moment.
        case claimed(Int, nextDue: UnixTime?)
        case failed
        case finished
    }

    enum Action: Hashable, Sendable {
        case claim(limit: Int)
        /// Send ``Event/woke`` at that moment, unless another wait replaces this one.
        case wait(until: UnixTime)
    }

    let concurrency: Int
    /// How often to look for work added by other processes, in seconds.
    let interval: UInt64
    private(set) var inHand = 0
    /// How much is being claimed; nil when nothing is.
    private var asked: Int?
    private var mayHaveMore = false
    private var nextLook: UnixTime?

    init(concurrency: Int, interval: UInt64) {
        self.concurrency = concurrency
        self.interval = interval
    }

    mutating func on(_ event: Event, at now: UnixTime) -> Action? {
        switch event {
        case .woke: mayHaveMore = true
        case .claimed(let count, let nextDue):
            inHand += count
            mayHaveMore = mayHaveMore || count == asked
            asked = nil
            nextLook = min(nextDue ?? .lastSecond, now.adding(seconds: interval))
        case .failed:
            asked = nil
            mayHaveMore = false
            nextLook = now.adding(seconds: interval)
        case .finished: inHand -= 1
        }
        return next(at: now)
    }

    private mutating func next(at now: UnixTime) -> Action? {
        guard asked == nil, inHand < concurrency else { return nil }
        if mayHaveMore {
            mayHaveMore = false
            asked = concurrency - inHand
            return .claim(limit: concurrency - inHand)
        }
        defer { nextLook = nil }
        return nextLook.map { .wait(until: $0) }
    }
}

/// Carries out the jobs of one kind, each at least once. The service is given a list of them, and knows no kind by name.
package protocol OutboxHandler<Job>: Sendable {
    associatedtype Job: OutboxJob

    var policy: OutboxPolicy { get }

    /// Makes one attempt; canceled when the service stops.
    ///
    /// - Parameter work: the job as the ledger has it; `attempts` includes this one.
    func carryOut(_ job: Job, _ work: OutboxWork) async -> OutboxOutcome
}

extension OutboxHandler {
    package var policy: OutboxPolicy { OutboxPolicy() }

    package var kind: OutboxKind { Job.kind }

    package func carryOut(_ work: OutboxWork) async -> OutboxOutcome {
        guard let job = Job(work) else { return .refused("the entry cannot be read") }
        return await carryOut(job, work)
    }
}

package struct OutboxPolicy: Hashable, Sendable {
    package var concurrency: Int
    /// Seconds after which a claim expires: longer than an attempt takes.
    package var lease: UInt64
    package var schedule: RetrySchedule

    package init(concurrency: Int = 16, lease: UInt64 = 120, schedule: RetrySchedule = .day) {
        self.concurrency = max(1, concurrency)
        self.lease = lease
        self.schedule = schedule
    }
}

/// How many seconds to wait after each failed attempt, with random jitter, so that work that failed together is not
/// retried together.
package struct RetrySchedule: Hashable, Sendable {
    /// The pause after each attempt; there is one attempt more than there are pauses.
    package let pauses: [UInt64]

    package init(pauses: [UInt64]) {
        self.pauses = pauses
    }

    /// Eleven attempts over a day, with pauses of 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h and 8 h.
    package static let day = RetrySchedule(
        pauses: [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800])

    /// Whether the attempt of that number, from 1, is made.
    func allows(_ attempt: UInt64) -> Bool { attempt <= UInt64(pauses.count) + 1 }

    /// Seconds until the next attempt, with jitter of up to a quarter; nil when there is none. Without random numbers
    /// there is no jitter.
    package func pause(after attempts: UInt64, random: RandomSource) -> UInt64? {
        guard attempts > 0, let index = Int(exactly: attempts - 1), pauses.indices ~= index else { return nil }
        let pause = pauses[index]
        let drawn = ((try? random(2)) ?? [0, 0]).reduce(0) { $0 << 8 | UInt64($1) }
        return pause + pause * drawn / (4 << 16)
    }
}

package enum OutboxOutcome: Hashable, Sendable {
    /// Done; it is removed from the outbox.
    case carriedOut
    /// The outbox says already what has come of it.
    case recorded
    /// No longer needed, for that reason; it is removed from the outbox.
    case dropped(String)
    /// Goes on at that moment; nothing has failed.
    case continued(at: UnixTime)
    /// Retried later, or parked after the last attempt. The sentence is for the operator.
    case failed(String)
    /// Retried after so many seconds or later, or parked after the last attempt. The sentence is for the operator.
    case postponed(seconds: UInt64, String)
    /// Parked at once. The sentence is for the operator.
    case refused(String)

    /// Whether it counts even if the attempt was interrupted.
    var isFinal: Bool {
        switch self {
        case .carriedOut, .recorded, .dropped: true
        case .continued, .failed, .postponed, .refused: false
        }
    }
}
