import Platform
import Testing

@testable import OutboundHTTP

@Suite("The transfer queue", .timeLimit(.minutes(5)))
struct TransferQueueTests {
    private let now = MonotonicTime.now
    private var later: MonotonicTime { now + .seconds(10) }

    @Test("Requests start in order of arrival, and one over the waiting limit is refused")
    func order() {
        var queue = TransferQueue(maximumConcurrency: 1, maximumWaiting: 2)
        #expect(queue.on(.submitted(1, host: "a", deadline: later), at: now) == [.start(1)])
        #expect(queue.on(.submitted(2, host: "a", deadline: later), at: now) == [])
        #expect(queue.on(.submitted(3, host: "a", deadline: later), at: now) == [])
        #expect(queue.on(.submitted(4, host: "a", deadline: later), at: now) == [.refuse(4, .overloaded)])
        #expect(queue.on(.finished(1), at: now) == [.start(2)])
        #expect(queue.on(.finished(2), at: now) == [.start(3)])
        #expect(queue.on(.finished(3), at: now) == [])
    }

    @Test("A request canceled while waiting leaves the queue; one canceled in flight frees its slot")
    func cancellation() {
        var queue = TransferQueue(maximumConcurrency: 1, maximumWaiting: 9)
        for id in 1...4 as ClosedRange<TransferID> { _ = queue.on(.submitted(id, host: "a", deadline: later), at: now) }
        #expect(queue.on(.canceled(2), at: now) == [.refuse(2, .canceled)])
        #expect(queue.on(.canceled(1), at: now) == [.stop(1), .start(3)])
        #expect(queue.on(.canceled(1), at: now) == [])
        #expect(queue.on(.finished(3), at: now) == [.start(4)])
    }

    @Test("A host has its own limit, and hosts with waiting requests take turns")
    func hosts() {
        var queue = TransferQueue(maximumConcurrency: 3, maximumPerHost: 2, maximumWaiting: 9)
        func submit(_ id: TransferID, _ host: String) -> [TransferQueue.Action] {
            queue.on(.submitted(id, host: host, deadline: later), at: now)
        }
        #expect(submit(1, "slow") == [.start(1)])
        #expect(submit(2, "slow") == [.start(2)])
        #expect(submit(3, "slow") == [])
        #expect(submit(4, "slow") == [])
        #expect(submit(5, "quick") == [.start(5)])
        #expect(submit(6, "quick") == [])
        #expect(submit(7, "other") == [])
        #expect(queue.on(.finished(5), at: now) == [.start(6)])
        #expect(queue.on(.finished(6), at: now) == [.start(7)])
        #expect(queue.on(.finished(7), at: now) == [])
        #expect(queue.on(.canceled(3), at: now) == [.refuse(3, .canceled)])
        #expect(queue.on(.finished(1), at: now) == [.start(4)])
        #expect(queue.on(.finished(2), at: now) == [])
        #expect(queue.on(.finished(4), at: now) == [])
        #expect(submit(8, "slow") == [.start(8)])
    }

    @Test("A request that waits until its deadline is refused, then or at its turn")
    func deadlines() {
        var queue = TransferQueue(maximumConcurrency: 1, maximumWaiting: 9)
        let soon = now + .seconds(1)
        _ = queue.on(.submitted(1, host: "a", deadline: later), at: now)
        _ = queue.on(.submitted(2, host: "a", deadline: soon), at: now)
        _ = queue.on(.submitted(3, host: "a", deadline: later), at: now)
        _ = queue.on(.submitted(4, host: "a", deadline: soon), at: now)
        #expect(queue.nextDeadline == soon)
        #expect(queue.on(.timePassed, at: now) == [])
        #expect(
            queue.on(.timePassed, at: soon) == [
                .refuse(2, .timeout(requestSent: false)), .refuse(4, .timeout(requestSent: false)),
            ])
        #expect(queue.nextDeadline == later)
        #expect(queue.on(.finished(1), at: later) == [.refuse(3, .timeout(requestSent: false))])
        #expect(queue.nextDeadline == nil)
    }

    @Test("Whatever happens, no limit is exceeded, and nothing waits while there is capacity", arguments: 1...20)
    func invariants(seed: UInt64) {
        var queue = TransferQueue(maximumConcurrency: 4, maximumPerHost: 2, maximumWaiting: 12)
        var draw = seed
        var (running, waiting): ([TransferID: String], [TransferID: String]) = ([:], [:])
        func below(_ count: Int) -> Int {
            draw = draw &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(draw >> 33) % count
        }
        func perform(_ event: TransferQueue.Event) {
            if case .finished(let id) = event { running[id] = nil }
            for action in queue.on(event, at: now) {
                switch action {
                case .start(let id): running[id] = waiting.removeValue(forKey: id)
                case .stop(let id): #expect(running.removeValue(forKey: id) != nil)
                case .refuse(let id, _): #expect(waiting.removeValue(forKey: id) != nil)
                }
            }
            let perHost = running.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            #expect(running.count <= 4 && waiting.count <= 12)
            #expect(perHost.values.allSatisfy { $0 <= 2 })
            #expect(running.count == 4 || waiting.values.allSatisfy { perHost[$0] == 2 })
        }
        for id in 1...400 as ClosedRange<TransferID> {
            waiting[id] = "host \(below(5))"
            perform(.submitted(id, host: waiting[id] ?? "", deadline: later))
            let known = running.keys.sorted() + waiting.keys.sorted()
            if below(3) > 0, let id = running.keys.min() { perform(.finished(id)) }
            if below(4) == 0, !known.isEmpty { perform(.canceled(known[below(known.count)])) }
        }
        while let id = running.keys.min() { perform(.finished(id)) }
        #expect(waiting.isEmpty)
    }
}
