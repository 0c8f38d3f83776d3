import Platform
@testable import ResponderModel
import Testing
import Waiting

@Suite("The queue of calls to a node", .timeLimit(.minutes(5)))
struct CallQueueTests {
    /// A queue whose deadlines come when a test decides.
    private func queue(_ load: BackendLoad, _ deadlines: Deadlines = Deadlines()) -> CallQueue {
        CallQueue(load, clock: MonotonicClock(now: { .now }, sleep: { _ in try await deadlines.wait() }))
    }

    @Test("A call's result and its fault are passed on")
    func answers() async throws {
        let queue = queue(BackendLoad(calls: 1, waiting: 0))
        #expect(try await queue.run { () async throws(BackendFault) in 7 } == 7)
        await #expect(throws: BackendFault.duplicate) {
            try await queue.run { () async throws(BackendFault) -> Int in throw .duplicate }
        }
        #expect(try await queue.run { () async throws(BackendFault) in 8 } == 8)
    }

    @Test("A call runs where its caller prefers to run")
    func place() async {
        let (thread, queue) = (OneThread(), queue(BackendLoad(calls: 1, waiting: 0)))
        let places = await thread.run {
            try? await queue.run { () async throws(BackendFault) in await thread.places() }
        }
        #expect(places == [true, false, true])
    }

    @Test("Of 1,000 concurrent calls, no more than allowed run, queued ones are answered, and the rest are rejected")
    func crowd() async throws {
        let queue = queue(BackendLoad(calls: 5, waiting: 95))
        let (open, gate) = AsyncStream<Void>.makeStream()
        let counts = Guarded((inside: 0, most: 0, refused: 0))
        let count: @Sendable (_ inside: Int, _ refused: Int) -> Void = { inside, refused in
            let isFull = counts.withLock { counts in
                counts.inside += inside
                counts.most = max(counts.most, counts.inside)
                counts.refused += refused
                return counts.inside == 5 && counts.refused == 900
            }
            // Nothing is answered before all calls have arrived.
            if isFull { gate.finish() }
        }
        let answered = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    do throws(BackendFault) {
                        try await queue.run { () async throws(BackendFault) in
                            count(1, 0)
                            for await _ in open { break }
                            count(-1, 0)
                        }
                        return true
                    } catch {
                        #expect(error == .overloaded)
                        count(0, 1)
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 100)
        let (most, left) = counts.withLock { ($0.most, $0.inside) }
        #expect(most == 5)
        #expect(left == 0)
        // Nothing is left queued: the next call runs at once.
        #expect(try await queue.run { () async throws(BackendFault) in true })
    }

    @Test("Waiting calls run in order of arrival, before any later one; there is always a slot")
    func order() async throws {
        let queue = queue(BackendLoad(calls: 0, waiting: 3))
        let (first, hold) = (FirstAnswer<Void>(), FirstAnswer<Void>())
        let order = Guarded<[Int]>([])
        let calls = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try? await queue.run { () async throws(BackendFault) in
                    first.give(())
                    await hold.value()
                }
            }
            await first.value()
            for number in 1...3 {
                group.addTask {
                    _ = try? await queue.run { () async throws(BackendFault) in order.withLock { $0.append(number) } }
                }
                try? await eventually { queue.held == number + 1 }
            }
            hold.give(())
            await group.waitForAll()
            return order.withLock { $0 }
        }
        #expect(calls == [1, 2, 3])
        #expect(queue.held == 0)
    }

    @Test("A call that hangs ends at its deadline and is canceled")
    func hangs() async throws {
        let deadline = Deadline()
        let queue = CallQueue(
            BackendLoad(calls: 1, waiting: 1),
            clock: MonotonicClock(now: { .now }, sleep: { _ in await deadline.wait() }))
        let (inside, wasCanceled) = (FirstAnswer<Void>(), FirstAnswer<Bool>())
        let caller = Task { () -> BackendFault? in
            do throws(BackendFault) {
                try await queue.run { () async throws(BackendFault) in
                    inside.give(())
                    try? await Task.sleep(for: .seconds(3600))
                    wasCanceled.give(Task.isCancelled)
                }
                return nil
            } catch {
                return error
            }
        }
        await inside.value()
        await deadline.come(toAll: 1)
        #expect(await caller.value == .timedOut)
        #expect(await wasCanceled.value())
    }

    @Test("Queued calls that cannot start before their deadline are dropped")
    func waitsTooLong() async throws {
        let deadlines = Deadlines()
        let queue = queue(BackendLoad(calls: 1, waiting: 5), deadlines)
        let (inside, end) = (FirstAnswer<Void>(), FirstAnswer<Void>())
        let first = Task {
            try? await queue.run { () async throws(BackendFault) in
                inside.give(())
                await end.value()
            }
        }
        await inside.value()
        deadlines.come()
        let reached = Guarded(false)
        await #expect(throws: BackendFault.timedOut) {
            try await queue.run { () async throws(BackendFault) in reached.withLock { $0 = true } }
        }
        end.give(())
        await first.value
        #expect(reached.withLock { !$0 })
    }

    @Test("However the deadlines of many calls coincide with their ends, every slot is freed")
    func placesComeBack() async throws {
        for _ in 0..<200 {
            let deadline = Deadline()
            let queue = CallQueue(
                BackendLoad(calls: 2, waiting: 30),
                clock: MonotonicClock(now: { .now }, sleep: { _ in await deadline.wait() }))
            let (open, gate) = AsyncStream<Void>.makeStream()
            async let timedOut = withTaskGroup(of: Bool.self, returning: Int.self) { group in
                for _ in 0..<32 {
                    group.addTask {
                        do throws(BackendFault) {
                            try await queue.run { () async throws(BackendFault) in
                                for await _ in open { break }
                            }
                            return false
                        } catch {
                            return error == .timedOut
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            await deadline.come(toAll: 32)
            _ = await timedOut
            gate.finish()
            for _ in 0..<2 { #expect(try await queue.run { () async throws(BackendFault) in true }) }
        }
    }

    @Test("A canceled caller stops waiting")
    func canceled() async throws {
        let queue = queue(BackendLoad(calls: 1, waiting: 5))
        let inside = FirstAnswer<Void>()
        let caller = Task { () -> BackendFault? in
            do throws(BackendFault) {
                try await queue.run { () async throws(BackendFault) in
                    inside.give(())
                    try? await Task.sleep(for: .seconds(3600))
                }
                return nil
            } catch {
                return error
            }
        }
        await inside.value()
        caller.cancel()
        #expect(await caller.value == .timedOut)
    }
}

/// Deadlines of calls: far away, until a test makes those of all later calls come at once.
private final class Deadlines: Sendable {
    private let haveCome = Guarded(false)

    func come() { haveCome.withLock { $0 = true } }

    func wait() async throws {
        if haveCome.withLock({ $0 }) { return }
        try await Task.sleep(for: .seconds(3600))
    }
}

/// The deadline of a group of calls, which comes for all of them at one moment; those of later calls never come.
private final class Deadline: Sendable {
    private struct State {
        var hasCome = false
        var waiting: [FirstAnswer<Void>] = []
    }

    private let state = Guarded(State())

    func come(toAll count: Int) async {
        try? await eventually { state.withLock { $0.waiting.count } >= count }
        let waiting = state.withLock { state in
            state.hasCome = true
            return state.waiting
        }
        for one in waiting { one.give(()) }
    }

    func wait() async {
        let one = FirstAnswer<Void>()
        let hasCome = state.withLock { state in
            if !state.hasCome { state.waiting.append(one) }
            return state.hasCome
        }
        guard hasCome else { return await one.value() }
        try? await Task.sleep(for: .seconds(3600))
    }

    @Test("A call that never ends is abandoned at its deadline, by the system's clock unless another is given")
    func call() async {
        let queue = CallQueue(BackendLoad(calls: 1, waiting: 0, deadline: .milliseconds(10)))
        let never = FirstAnswer<Void>()
        await #expect(throws: BackendFault.timedOut) {
            try await queue.run { () async throws(BackendFault) in await never.value() }
        }
        #expect(queue.held == 1)
        never.give(())
    }
}
