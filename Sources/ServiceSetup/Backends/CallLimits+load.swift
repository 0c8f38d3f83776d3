import CoreLightning
import NodeHTTP
import ResponderCore

/// Calls to a node are counted and timed where it stands in line (`ConfiguredBackend`), as its configuration says. What a node's own
/// room limits beside that must not end a call before.
extension BackendLoad {
    /// Two lines of calls, for orders and for questions, and some that nobody stands in line for: those that follow settlements.
    fileprivate var callsInAll: Int { 2 * calls + 16 }
}

extension CallLimits {
    /// Limits that leave calls and their time to the line.
    init(behind load: BackendLoad) {
        self.init()
        connectTimeout = load.deadline
        answerTimeout = load.deadline
        maximumConcurrency = load.callsInAll
    }
}

extension CommandLimits {
    /// Limits that leave calls and their time to the line.
    init(behind load: BackendLoad) {
        self.init()
        connectTimeout = load.deadline
        answerTimeout = load.deadline
        maximumPending = load.callsInAll
    }
}
