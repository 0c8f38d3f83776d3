import LNURL
import NIOCore
import ResponderModel

/// Decides which accepted jobs run now, which wait, and which are refused: a pure state machine.
///
/// Each account has its own queue, and accounts take turns, so that one whose node hangs delays no other.
struct FairQueue<Work: Sendable>: Sendable {
    /// A job for an account, with the bytes it holds.
    struct Job: Sendable {
        let account: AccountID
        let bytes: Int
        let work: Work
    }

    enum Event: Sendable {
        case arrived(Job)
        case finished(Job)
        /// No more is accepted; accepted jobs still run.
        case closed
    }

    enum Action: Sendable {
        case start(Job)
        case refuse(NotificationQueueRefusal)
        /// Nothing is left, and nothing more will come.
        case end
    }

    private struct Line {
        var waiting = CircularBuffer<Job>()
        var atWork = 0
    }

    let limits: NotificationQueueLimits
    private(set) var atWork = 0
    private(set) var waiting = 0
    /// Bytes held by all jobs, running and waiting.
    private(set) var bytes = 0
    private var isClosed = false
    private var lines: [AccountID: Line] = [:]
    /// Accounts that could start another job if there were capacity.
    private var turns = CircularBuffer<AccountID>()

    init(limits: NotificationQueueLimits) {
        self.limits = limits
    }

    mutating func on(_ event: Event) -> [Action] {
        switch event {
        case .arrived(let job): return arrived(job)
        case .finished(let job):
            finished(job)
            return startNext() + end()
        case .closed:
            isClosed = true
            return end()
        }
    }

    private mutating func arrived(_ job: Job) -> [Action] {
        guard !isClosed else { return [.refuse(.closed)] }
        let (held, overflow) = bytes.addingReportingOverflow(job.bytes)
        guard !overflow, held <= limits.bytes else { return [.refuse(.full)] }
        let line = lines[job.account] ?? Line()
        // While there is capacity, no account waits for its turn.
        if atWork < limits.atWork, line.atWork < limits.atWorkForAccount {
            bytes = held
            start(job)
            return [.start(job)]
        }
        guard waiting < limits.waiting else { return [.refuse(.full)] }
        bytes = held
        waiting += 1
        if line.waiting.isEmpty, line.atWork < limits.atWorkForAccount { turns.append(job.account) }
        lines[job.account, default: Line()].waiting.append(job)
        return []
    }

    private mutating func start(_ job: Job) {
        atWork += 1
        lines[job.account, default: Line()].atWork += 1
    }

    private mutating func finished(_ job: Job) {
        guard var line = lines[job.account] else { return }
        atWork -= 1
        bytes -= job.bytes
        if line.atWork == limits.atWorkForAccount, !line.waiting.isEmpty { turns.append(job.account) }
        line.atWork -= 1
        lines[job.account] = line.atWork == 0 && line.waiting.isEmpty ? nil : line
    }

    private mutating func startNext() -> [Action] {
        var actions: [Action] = []
        while atWork < limits.atWork, let account = turns.popFirst() {
            guard let job = lines[account]?.waiting.popFirst() else { continue }
            waiting -= 1
            start(job)
            if let line = lines[account], !line.waiting.isEmpty, line.atWork < limits.atWorkForAccount {
                turns.append(account)
            }
            actions.append(.start(job))
        }
        return actions
    }

    private func end() -> [Action] {
        isClosed && atWork == 0 && waiting == 0 ? [.end] : []
    }
}

package struct NotificationQueueLimits: Hashable, Sendable {
    /// How many jobs run at once.
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

enum NotificationQueueRefusal: Error, Hashable, Sendable {
    case full
    case closed
}
