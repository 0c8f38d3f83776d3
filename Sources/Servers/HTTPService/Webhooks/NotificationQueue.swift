import CoreMetrics
import LNURL
import Logging
import Platform
import ResponderModel
import ServiceLifecycle

/// Processes notifications after the webhook call was accepted. It is bounded, and on shutdown it finishes what it has
/// accepted.
final class NotificationQueue: Service {
    typealias Work = @Sendable () async -> Void

    /// Seconds after which a retry may help when the queue is full.
    static let retryAfter: UInt64 = 2

    private struct State {
        var queue: FairQueue<Work>
        var ending: CheckedContinuation<Void, Never>?
        var hasEnded = false
    }

    let limits: NotificationQueueLimits
    private let state: Guarded<State>
    private let held: Meter
    private let refused: Counter

    init(limits: NotificationQueueLimits = NotificationQueueLimits(), metrics: any MetricsFactory) {
        self.limits = limits
        state = Guarded(State(queue: FairQueue(limits: limits)))
        held = Meter(label: "responder_notifications_held", factory: metrics)
        refused = Counter(label: "responder_notifications_refused_total", factory: metrics)
    }

    /// Queues work.
    ///
    /// - Parameter bytes: how much memory it holds.
    func accept(for account: AccountID, bytes: Int, _ work: @escaping Work) throws(NotificationQueueRefusal) {
        let actions = on(.arrived(FairQueue.Job(account: account, bytes: bytes, work: work)))
        for case .refuse(let refusal) in actions {
            refused.increment()
            throw refusal
        }
        perform(actions)
    }

    /// Waits for shutdown, then until all accepted work is done.
    func run() async throws {
        try? await gracefulShutdown()
        perform(on(.closed))
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.ending = continuation }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func on(_ event: FairQueue<Work>.Event) -> [FairQueue<Work>.Action] {
        let (actions, count) = state.withLock { state in
            let actions = state.queue.on(event)
            return (actions, state.queue.atWork + state.queue.waiting)
        }
        held.set(Int64(count))
        return actions
    }

    private func perform(_ actions: [FairQueue<Work>.Action]) {
        for action in actions {
            switch action {
            case .start(let job):
                Task {
                    await job.work()
                    perform(on(.finished(job)))
                }
            case .refuse: break
            case .end:
                let ending = state.withLock { state in
                    state.hasEnded = true
                    defer { state.ending = nil }
                    return state.ending
                }
                ending?.resume()
            }
        }
    }
}
