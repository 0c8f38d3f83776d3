import Platform
package import ResponderModel

/// Answers accepted notifications in turns: some at once, and some of them for one account. It is bounded, and finishes
/// what it has accepted.
package final class NotificationQueue: Sendable {
    package typealias Work = @Sendable () async -> Void

    /// Seconds after which a retry may help when the queue is full.
    package static let retryAfter: UInt64 = 2

    package enum Event: Hashable, Sendable {
        /// So many run or wait now.
        case held(Int)
        case refused
    }

    private struct State {
        var queue: FairQueue<Work>
        var ending: FirstAnswer<Void>?
    }

    package let limits: NotificationQueueLimits
    private let state: Guarded<State>
    private let report: @Sendable (Event) -> Void

    package init(
        limits: NotificationQueueLimits = NotificationQueueLimits(),
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.limits = limits
        self.report = report
        state = Guarded(State(queue: FairQueue(limits: limits)))
    }

    /// Runs work in its turn: where the caller prefers to run, if it begins at once.
    ///
    /// - Parameter bytes: how much memory it holds.
    package func accept(for account: AccountID, bytes: Int, _ work: @escaping Work) throws(NotificationRefusal) {
        let job = FairQueue.Job(account: account, bytes: bytes, work: work)
        do throws(NotificationRefusal) {
            if try change({ queue throws(NotificationRefusal) in try queue.take(job) }) {
                Task.stayingHere { [self] in await run(job) }
            }
        } catch {
            report(.refused)
            throw error
        }
    }

    /// Accepts nothing more, and waits until all accepted work is done.
    package func finish() async {
        let ending = FirstAnswer<Void>()
        state.withLock { state in
            state.queue.isClosed = true
            if state.queue.isEmpty { ending.give(()) } else { state.ending = ending }
        }
        await ending.value()
    }

    private func run(_ job: FairQueue<Work>.Job) async {
        await job.work()
        // On any thread: on this one, all that waits would run one after the other, and delay its connections.
        for next in change({ $0.finish(job) }) { Task { await run(next) } }
        state.withLock { $0.queue.isEmpty ? $0.ending : nil }?.give(())
    }

    private func change<Result, Fault: Error>(
        _ body: (inout FairQueue<Work>) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        let (result, count) = try state.withLock { state throws(Fault) in
            (try body(&state.queue), state.queue.atWork + state.queue.waiting)
        }
        report(.held(count))
        return result
    }
}

/// Decides which accepted jobs run now, which wait, and which are refused: a value, so that every rule is tested without tasks.
///
/// Each account has its own line, and accounts take turns, so that one whose node hangs delays no other.
struct FairQueue<Work: Sendable>: Sendable {
    /// A job for an account, with the bytes it holds.
    struct Job: Sendable {
        let account: AccountID
        let bytes: Int
        let work: Work
    }

    private struct Line {
        /// Nil where one has been taken out: a slice keeps what was in front of it, and so would its bytes be kept.
        var waiting: ArraySlice<Job?> = []
        var atWork = 0

        mutating func next() -> Job? {
            guard let job = waiting.first else { return nil }
            waiting[waiting.startIndex] = nil
            waiting.removeFirst()
            return job
        }
    }

    let limits: NotificationQueueLimits
    private(set) var atWork = 0
    private(set) var waiting = 0
    /// Bytes held by all jobs, running and waiting.
    private(set) var bytes = 0
    /// Whether no more is accepted; accepted jobs still run.
    var isClosed = false
    private var lines: [AccountID: Line] = [:]
    /// Accounts that could start another job if there were capacity.
    private var turns: ArraySlice<AccountID> = []

    init(limits: NotificationQueueLimits) {
        self.limits = limits
    }

    var isEmpty: Bool { atWork == 0 && waiting == 0 }

    /// Takes a job.
    ///
    /// - Returns: whether it starts now; else it waits.
    mutating func take(_ job: Job) throws(NotificationRefusal) -> Bool {
        guard !isClosed else { throw .closed }
        let (held, overflow) = bytes.addingReportingOverflow(job.bytes)
        guard !overflow, held <= limits.bytes else { throw .full }
        let line = lines[job.account] ?? Line()
        // While there is capacity, no account waits for its turn.
        let starts = atWork < limits.atWork && line.atWork < limits.atWorkForAccount
        guard starts || waiting < limits.waiting else { throw .full }
        bytes = held
        if starts {
            start(job)
        } else {
            waiting += 1
            if line.waiting.isEmpty, line.atWork < limits.atWorkForAccount { turns.append(job.account) }
            lines[job.account, default: Line()].waiting.append(job)
        }
        return starts
    }

    private mutating func start(_ job: Job) {
        atWork += 1
        lines[job.account, default: Line()].atWork += 1
    }

    /// Ends a job that has run.
    ///
    /// - Returns: those that start now.
    mutating func finish(_ job: Job) -> [Job] {
        guard var line = lines[job.account] else { return [] }
        atWork -= 1
        bytes -= job.bytes
        if line.atWork == limits.atWorkForAccount, !line.waiting.isEmpty { turns.append(job.account) }
        line.atWork -= 1
        lines[job.account] = line.atWork == 0 && line.waiting.isEmpty ? nil : line
        var started: [Job] = []
        while atWork < limits.atWork, let account = turns.popFirst() {
            guard let job = lines[account]?.next() else { continue }
            waiting -= 1
            start(job)
            if let line = lines[account], !line.waiting.isEmpty, line.atWork < limits.atWorkForAccount {
                turns.append(account)
            }
            started.append(job)
        }
        return started
    }
}

package struct NotificationQueueLimits: Hashable, Sendable {
    package var atWork: Int
    package var atWorkForAccount: Int
    /// How many may wait; more are refused.
    package var waiting: Int
    /// How many bytes of notifications may be held in total.
    package var bytes: Int

    package init(atWork: Int = 256, atWorkForAccount: Int = 64, waiting: Int = 10_000, bytes: Int = 32 << 20) {
        self.atWork = max(1, atWork)
        self.atWorkForAccount = max(1, min(atWorkForAccount, atWork))
        self.waiting = waiting
        self.bytes = bytes
    }
}

package enum NotificationRefusal: LedgerFaultConvertible, Hashable, Sendable {
    case full
    case closed
    case ledger(LedgerFault)
}
