import Nodes
import CoreLightning

/// `ConfiguredBackend` enforces concurrency and deadlines. A backend's own limits must not end a call earlier.
extension BackendLoad {
    /// Two queues of calls, for orders and for queries, and some unqueued ones that follow settlements.
    fileprivate var callsInAll: Int { 2 * calls + 16 }
}

extension CallLimits {
    /// Limits that leave concurrency and deadlines to the queue.
    init(behind load: BackendLoad) {
        self.init()
        connectTimeout = load.deadline
        answerTimeout = load.deadline
        maximumConcurrency = load.callsInAll
    }
}

extension CommandLimits {
    /// Limits that leave concurrency and deadlines to the queue.
    init(behind load: BackendLoad) {
        self.init()
        connectTimeout = load.deadline
        answerTimeout = load.deadline
        maximumPending = load.callsInAll
    }
}
