import Platform
@testable import ResponderModel
import Testing
import Waiting

/// A node that makes one invoice after the other, 50 per second, receives 1,000 orders at once.
@Suite("A burst of requests to a slow node", .timeLimit(.minutes(5)))
struct SlowNodeTests {
    private static let crowd = 1_000
    private static let timeForOne = Duration.milliseconds(20)

    private let clock = ManualClock()
    private let node = SlowNode()
    private let made = Guarded(0)
    private let faults = Guarded<[BackendFault: Int]>([:])

    private func queue(_ load: BackendLoad) -> CallQueue {
        CallQueue(load, clock: clock.clock)
    }

    /// One request of the burst.
    private func ask(_ queue: CallQueue) -> Task<Void, Never> {
        Task { [node, made, faults] in
            do throws(BackendFault) {
                try await queue.run { () async throws(BackendFault) in try await node.make() }
                made.withLock { $0 += 1 }
            } catch {
                faults.withLock { $0[error, default: 0] += 1 }
            }
        }
    }

    private func wait(until condition: () -> Bool) async {
        try? await eventually(condition)
    }

    private func faults(_ fault: BackendFault) -> Int { faults.withLock { $0[fault] ?? 0 } }

    /// Nothing of the burst is left, and a later request waits for the node only.
    private func expectNoPile(_ queue: CallQueue, _ crowd: [Task<Void, Never>]) async {
        for asker in crowd { await asker.value }
        await wait { queue.held == 0 && clock.sleepers == 0 }
        #expect(node.waiting == 0)
        let (start, before) = (clock.now, made.withLock { $0 })
        let single = ask(queue)
        await wait { node.waiting == 1 }
        clock.advance(by: Self.timeForOne)
        node.finishOne()
        await single.value
        #expect(made.withLock { $0 } == before + 1)
        #expect(clock.now - start == Self.timeForOne)
        // Its place is given back beside its answer.
        await wait { queue.held == 0 }
        #expect(queue.held == 0)
    }

    @Test(
        "By default, 208 invoices are made in 4.16 seconds, 792 orders are rejected at once, none waits in vain")
    func standard() async {
        let load = BackendLoad()
        let places = load.calls + load.waiting
        let queue = queue(load)
        let crowd = (0..<Self.crowd).map { _ in ask(queue) }
        // Before the clock has moved at all.
        await wait { faults(.overloaded) == Self.crowd - places && node.waiting == load.calls }
        #expect(queue.held == places)
        for count in 1...places {
            await wait { clock.sleepers == places - count + 1 }
            clock.advance(by: Self.timeForOne)
            node.finishOne()
            await wait { made.withLock { $0 } == count && node.waiting == min(load.calls, places - count) }
        }
        #expect(made.withLock { $0 } == 208)
        #expect(faults.withLock { $0 } == [.overloaded: 792])
        #expect(clock.now.sinceStart == .milliseconds(4_160))
        #expect(node.most == load.calls)
        await expectNoPile(queue, crowd)
    }

    @Test(
        "With a queue for all of them: 499 are made before the deadline of 10 seconds, 501 time out"
    )
    func longLine() async {
        let load = BackendLoad(calls: 8, waiting: 2_000)
        let queue = queue(load)
        let crowd = (0..<Self.crowd).map { _ in ask(queue) }
        await wait { clock.sleepers == Self.crowd && node.waiting == load.calls }
        for count in 1...499 {
            clock.advance(by: Self.timeForOne)
            node.finishOne()
            await wait { made.withLock { $0 } == count && node.waiting == min(load.calls, 500 - count) }
        }
        // No call that would have been too late reached the node.
        await wait { faults(.timedOut) == 500 }
        #expect(node.asked == 500)
        clock.advance(by: Self.timeForOne)
        await wait { faults(.timedOut) == 501 }
        #expect(clock.now.sinceStart == .seconds(10))
        await expectNoPile(queue, crowd)
        #expect(faults.withLock { $0 } == [.timedOut: 501])
    }

    @Test("Both are reported to payers as transient")
    func words() {
        for fault in [BackendFault.overloaded, .timedOut] {
            #expect(fault.isTransient)
            #expect(
                Refusal.unavailable(.backend(.embedded, fault)).reason
                    == "Temporarily unavailable; please try again later")
        }
    }
}

/// A node that finishes its calls in order, when a test decides; canceled calls leave it.
private final class SlowNode: Sendable {
    private struct State {
        var lastNumber = 0
        var calls: [(number: Int, answer: FirstAnswer<Bool>)] = []
        var most = 0
    }

    private let state = Guarded(State())

    var waiting: Int { state.withLock { $0.calls.count } }
    var most: Int { state.withLock { $0.most } }
    var asked: Int { state.withLock { $0.lastNumber } }

    func make() async throws(BackendFault) {
        let answer = FirstAnswer<Bool>()
        let number = state.withLock { state in
            state.lastNumber += 1
            state.calls.append((state.lastNumber, answer))
            state.most = max(state.most, state.calls.count)
            return state.lastNumber
        }
        let isMade = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            state.withLock { state in state.calls.removeAll { $0.number == number } }
            answer.give(false)
        }
        guard isMade else { throw .timedOut }
    }

    func finishOne() {
        let first = state.withLock { state in state.calls.isEmpty ? nil : state.calls.removeFirst().answer }
        first?.give(true)
    }
}
