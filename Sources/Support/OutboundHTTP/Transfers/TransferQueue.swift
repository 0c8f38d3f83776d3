import Platform

/// Decides which requests are in flight and which wait: a pure state machine that takes events and the time and returns
/// actions.
///
/// Each host has its own queue, and hosts take turns: many requests to a slow host do not delay those to another.
struct TransferQueue {
    enum Event: Equatable {
        case submitted(TransferID, host: String, deadline: MonotonicTime)
        case canceled(TransferID)
        case finished(TransferID)
        case timePassed
    }

    enum Action: Equatable {
        case start(TransferID)
        case stop(TransferID)
        case refuse(TransferID, OutboundFault)
    }

    /// A host's queue; it exists while requests are waiting or in flight.
    private struct Line {
        var running = 0
        /// In order of arrival; canceled ones are skipped when their turn comes.
        var waiting: ArraySlice<TransferID> = []
        var hasTurn = false
    }

    private let maximumConcurrency: Int
    private let maximumPerHost: Int
    private let maximumWaiting: Int
    private var running: [TransferID: String] = [:]
    private var lines: [String: Line] = [:]
    /// Hosts with waiting requests and free capacity, each once.
    private var turns: ArraySlice<String> = []
    private var waiting: [TransferID: MonotonicTime] = [:]
    /// The earliest time at which a waiting request may time out.
    private(set) var nextDeadline: MonotonicTime?

    init(maximumConcurrency: Int, maximumPerHost: Int = .max, maximumWaiting: Int) {
        self.maximumConcurrency = max(1, maximumConcurrency)
        self.maximumPerHost = max(1, maximumPerHost)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    mutating func on(_ event: Event, at now: MonotonicTime) -> [Action] {
        switch event {
        case .submitted(let id, let host, let deadline):
            return submit(id, to: host, deadline, at: now)
        case .canceled(let id):
            if waiting.removeValue(forKey: id) != nil { return [.refuse(id, .canceled)] }
            guard leave(id) else { return [] }
            return [.stop(id)] + startNext(at: now)
        case .finished(let id):
            _ = leave(id)
            return startNext(at: now)
        case .timePassed:
            return refuseLate(at: now)
        }
    }

    private mutating func submit(
        _ id: TransferID, to host: String, _ deadline: MonotonicTime, at now: MonotonicTime
    ) -> [Action] {
        guard running.count >= maximumConcurrency || lines[host].map({ $0.running >= maximumPerHost }) ?? false else {
            enter(id, host)
            return [.start(id)]
        }
        guard waiting.count < maximumWaiting else { return [.refuse(id, .overloaded)] }
        waiting[id] = deadline
        nextDeadline = min(nextDeadline ?? deadline, deadline)
        lines[host, default: Line()].waiting.append(id)
        offerTurn(to: host)
        return []
    }

    private mutating func enter(_ id: TransferID, _ host: String) {
        running[id] = host
        lines[host, default: Line()].running += 1
    }

    private mutating func leave(_ id: TransferID) -> Bool {
        guard let host = running.removeValue(forKey: id) else { return false }
        lines[host]?.running -= 1
        offerTurn(to: host)
        return true
    }

    /// Adds a host to the turns if it has waiting requests and capacity; removes an unused one.
    private mutating func offerTurn(to host: String) {
        guard var line = lines[host], !line.hasTurn else { return }
        line.waiting = line.waiting.drop { waiting[$0] == nil }
        if line.waiting.isEmpty, line.running == 0 {
            lines[host] = nil
            return
        }
        line.hasTurn = !line.waiting.isEmpty && line.running < maximumPerHost
        if line.hasTurn { turns.append(host) }
        lines[host] = line
    }

    private mutating func startNext(at now: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        while running.count < maximumConcurrency, let host = turns.popFirst() {
            lines[host]?.hasTurn = false
            if let id = lines[host]?.waiting.popFirst(), let deadline = waiting.removeValue(forKey: id) {
                if deadline <= now {
                    actions.append(.refuse(id, .timeout(requestSent: false)))
                } else {
                    enter(id, host)
                    actions.append(.start(id))
                }
            }
            offerTurn(to: host)
        }
        if waiting.isEmpty { nextDeadline = nil }
        return actions
    }

    private mutating func refuseLate(at now: MonotonicTime) -> [Action] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        let late = waiting.filter { $0.value <= now }.keys.sorted()
        for id in late { waiting[id] = nil }
        self.nextDeadline = waiting.values.min()
        return late.map { .refuse($0, .timeout(requestSent: false)) }
    }
}

typealias TransferID = UInt64
