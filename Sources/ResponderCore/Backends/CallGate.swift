/// Who may go to the node now, who waits, and who is sent away: a value, so that every rule can be tried without a clock.
struct CallGate: Sendable {
    /// What one who comes is told.
    enum Decision: Hashable, Sendable {
        case go
        case wait
        case refuse
    }

    typealias Caller = UInt64

    private let places: Int
    private let waitingPlaces: Int
    private var inside = 0
    private var waiting: [Caller] = []

    /// - Parameters:
    ///   - places: how many are inside at once.
    ///   - waitingPlaces: how many wait at the most.
    init(places: Int, waitingPlaces: Int) {
        self.places = max(places, 1)
        self.waitingPlaces = max(waitingPlaces, 0)
    }

    /// How many are inside or wait.
    var held: Int { inside + waiting.count }

    /// Somebody comes. Nobody overtakes those who wait.
    mutating func arrive(_ caller: Caller) -> Decision {
        if inside < places {
            inside += 1
            return .go
        }
        guard waiting.count < waitingPlaces else { return .refuse }
        waiting.append(caller)
        return .wait
    }

    /// One who was inside is done.
    ///
    /// - Returns: who goes next.
    mutating func leave() -> Caller? {
        guard !waiting.isEmpty else {
            inside = max(inside - 1, 0)
            return nil
        }
        return waiting.removeFirst()
    }

    /// One who waits waits no longer; false when it does not wait.
    mutating func giveUp(_ caller: Caller) -> Bool {
        guard let index = waiting.firstIndex(of: caller) else { return false }
        waiting.remove(at: index)
        return true
    }
}
