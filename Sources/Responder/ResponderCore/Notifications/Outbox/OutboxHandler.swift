package import ResponderModel

/// Carries out the jobs of one kind, each at least once. The service is given a list of them, and knows no kind by name.
package protocol OutboxHandler<Job>: Sendable {
    associatedtype Job: OutboxJob

    var policy: OutboxPolicy { get }

    /// Makes one attempt; cancelled when the service stops.
    ///
    /// - Parameter work: the job as the ledger has it; `attempts` includes this one.
    func carryOut(_ job: Job, _ work: OutboxWork) async -> OutboxOutcome
}

extension OutboxHandler {
    package var policy: OutboxPolicy { OutboxPolicy() }

    package var kind: OutboxKind { Job.kind }

    /// Makes one attempt, if the work can be read.
    package func carryOut(_ work: OutboxWork) async -> OutboxOutcome {
        guard let job = Job(work) else { return .refused("the entry cannot be read") }
        return await carryOut(job, work)
    }
}

/// How the jobs of a kind are carried out.
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
