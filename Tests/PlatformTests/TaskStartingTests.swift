import Dispatch
import Platform
import Testing

/// A thread of its own for tasks, like that of an event loop.
private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")
    private let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: key, value: true) }

    var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

@Suite("Tasks that stay on their creator's thread", .timeLimit(.minutes(5)))
struct TaskStartingTests {
    private let thread = OneThread()

    /// Whether a task ran on the thread before and after it waited for one that ran elsewhere.
    private func places(
        of start: @escaping @Sendable (@escaping @Sendable () async -> [Bool]) -> Task<[Bool], Never>
    ) async -> [Bool] {
        await Task(executorPreference: thread) { [thread] in
            await start {
                let before = thread.isHere
                let elsewhere = FirstAnswer<Bool>()
                _ = DetachedThread.start { elsewhere.give(thread.isHere) }
                let between = await elsewhere.value()
                return [before, between, thread.isHere]
            }.value
        }.value
    }

    @Test("A task that starts here or stays here runs where its creator prefers to run, also after waiting")
    func preferred() async {
        #expect(await places { Task.startingHere($0) } == [true, false, true])
        #expect(await places { Task.stayingHere($0) } == [true, false, true])
        // The neighbor: a task that is merely created does not.
        #expect(await places { work in Task { await work() } } == [false, false, false])
    }

    @Test("A task that starts here runs to its first wait before its creator goes on, one that stays here runs later")
    func order() async {
        let steps = Guarded<[String]>([])
        let note: @Sendable (String) -> Void = { step in steps.withLock { $0.append(step) } }
        await Task(executorPreference: thread) {
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
        }.value
        let taken = steps.withLock { $0 }
        #expect(taken.prefix(2) == ["starts", "creator"])
        #expect(Set(taken.dropFirst(2)) == ["ends", "stays"])
    }

    @Test("Without a preference, such tasks run on the pool")
    func none() async {
        #expect(await Task.detached { await Task.startingHere { 1 }.value }.value == 1)
        #expect(await Task.detached { await Task.stayingHere { 2 }.value }.value == 2)
    }
}
