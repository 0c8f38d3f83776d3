/// Who may be in flight and who waits: a pure machine, told of events and the time, answering with what to do.
struct TransferQueue {
    enum Event: Equatable {
        case submitted(TransferID, deadline: ContinuousClock.Instant)
        case cancelled(TransferID)
        case finished(TransferID)
        case timePassed
    }

    enum Action: Equatable {
        case start(TransferID)
        case stop(TransferID)
        case refuse(TransferID, OutboundFault)
    }

    private let maximumConcurrency: Int
    private let maximumWaiting: Int
    private var running: Set<TransferID> = []
    /// In order of arrival; those that left early are skipped when their turn comes.
    private var line: ArraySlice<TransferID> = []
    private var waiting: [TransferID: ContinuousClock.Instant] = [:]
    /// The earliest moment at which somebody who waits may be out of time.
    private(set) var nextDeadline: ContinuousClock.Instant?

    init(maximumConcurrency: Int, maximumWaiting: Int) {
        self.maximumConcurrency = max(1, maximumConcurrency)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    mutating func on(_ event: Event, at now: ContinuousClock.Instant) -> [Action] {
        switch event {
        case .submitted(let id, let deadline):
            if running.count < maximumConcurrency {
                running.insert(id)
                return [.start(id)]
            }
            guard waiting.count < maximumWaiting else { return [.refuse(id, .overloaded)] }
            line.append(id)
            waiting[id] = deadline
            nextDeadline = min(nextDeadline ?? deadline, deadline)
            return []
        case .cancelled(let id):
            if waiting.removeValue(forKey: id) != nil { return [.refuse(id, .cancelled)] }
            guard running.remove(id) != nil else { return [] }
            return [.stop(id)] + startNext(at: now)
        case .finished(let id):
            running.remove(id)
            return startNext(at: now)
        case .timePassed:
            return refuseLate(at: now)
        }
    }

    private mutating func startNext(at now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        while running.count < maximumConcurrency, let id = line.popFirst() {
            guard let deadline = waiting.removeValue(forKey: id) else { continue }
            if deadline <= now {
                actions.append(.refuse(id, .timeout(requestSent: false)))
            } else {
                running.insert(id)
                actions.append(.start(id))
            }
        }
        if waiting.isEmpty { nextDeadline = nil }
        return actions
    }

    private mutating func refuseLate(at now: ContinuousClock.Instant) -> [Action] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        let late = line.filter { id in waiting[id].map { $0 <= now } ?? false }
        for id in late { waiting[id] = nil }
        self.nextDeadline = waiting.values.min()
        return late.map { .refuse($0, .timeout(requestSent: false)) }
    }
}

/// The number of a request within its client.
typealias TransferID = UInt64
