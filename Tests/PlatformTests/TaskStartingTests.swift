import Platform
import Testing
import Waiting

@Suite("Tasks that stay on their creator's thread", .timeLimit(.minutes(5)))
struct TaskStartingTests {
    private let thread = OneThread()
    private let there = [true, false, true]
    private let elsewhere = [false, false, false]

    @Test("A task that starts here or stays here runs where its creator prefers to run, also after waiting")
    func preferred() async {
        let starting = await thread.run { [thread] in await Task.startingHere { await thread.places() }.value }
        let staying = await thread.run { [thread] in await Task.stayingHere { await thread.places() }.value }
        // The neighbor: a task that is merely created.
        let created = await thread.run { [thread] in await Task { await thread.places() }.value }
        #expect(starting == there)
        #expect(staying == there)
        #expect(created == elsewhere)
    }

    @Test("So does work with a deadline, and work that several callers share")
    func users() async {
        let inTime = await thread.run { [thread] in
            await MonotonicClock.system.race(until: .now + .seconds(3600)) { await thread.places() }
        }
        #expect(inTime == there)
        let shared = await thread.run { [thread] in
            await SingleFlight<Int, [Bool]>().value(for: 1) { await thread.places() }
        }
        #expect(shared == there)
    }

    @Test("A task that starts here runs to its first wait before its creator goes on, one that stays here runs later")
    func order() async {
        let steps = Guarded<[String]>([])
        let note: @Sendable (String) -> Void = { step in steps.withLock { $0.append(step) } }
        await thread.run {
            let gate = FirstAnswer<Void>()
            let starting = Task.startingHere {
                note("starts")
                await gate.value()
                note("ends")
            }
            let staying = Task.stayingHere { note("stays") }
            note("creator")
            gate.give(())
            await starting.value
            await staying.value
        }
        let taken = steps.withLock { $0 }
        #expect(taken.prefix(2) == ["starts", "creator"])
        #expect(Set(taken.dropFirst(2)) == ["ends", "stays"])
    }

    @Test("Where their creator has no preference, such tasks do not come back to a thread")
    func none() async {
        let starting = await thread.run { [thread] in
            await Task.detached { await Task.startingHere { await thread.places() }.value }.value
        }
        let staying = await thread.run { [thread] in
            await Task.detached { await Task.stayingHere { await thread.places() }.value }.value
        }
        #expect(starting == elsewhere)
        #expect(staying == elsewhere)
    }
}
