package import LightningCoding
package import LightningCrypto
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
