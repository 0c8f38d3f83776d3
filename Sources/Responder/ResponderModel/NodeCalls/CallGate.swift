/// Decides which calls run, wait or are rejected: a value, so that every rule can be tested without a clock.
struct CallGate: Sendable {
    enum Decision: Hashable, Sendable {
        case go
        case wait
        case refuse
    }

    typealias Caller = UInt64

    private let runningLimit: Int
    private let waitingLimit: Int
    private var inside = 0
    private var waiting: [Caller] = []

    /// - Parameters:
    ///   - calls: the maximum number of running calls.
    ///   - waiting: the maximum number of waiting calls.
    init(calls: Int, waiting: Int) {
        runningLimit = max(calls, 1)
        waitingLimit = max(waiting, 0)
    }

    var held: Int { inside + waiting.count }

    /// Adds a call. Waiting calls go first.
    mutating func arrive(_ caller: Caller) -> Decision {
        if inside < runningLimit {
            inside += 1
            return .go
        }
        guard waiting.count < waitingLimit else { return .refuse }
        waiting.append(caller)
        return .wait
    }

    /// Ends a running call.
    ///
    /// - Returns: the call that runs next.
    mutating func leave() -> Caller? {
        guard !waiting.isEmpty else {
            inside = max(inside - 1, 0)
            return nil
        }
        return waiting.removeFirst()
    }

    /// Removes a waiting call; false when it is not waiting.
    mutating func giveUp(_ caller: Caller) -> Bool {
        guard let index = waiting.firstIndex(of: caller) else { return false }
        waiting.remove(at: index)
        return true
    }
}
