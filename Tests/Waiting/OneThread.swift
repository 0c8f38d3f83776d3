import Dispatch
import Platform

/// A thread of its own for tasks, like that of an event loop.
package final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")
    private let key = DispatchSpecificKey<Bool>()

    package init() { queue.setSpecific(key: key, value: true) }

    /// Whether the caller runs on it.
    package var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs work on it.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        await Task(executorPreference: self, operation: work).value
    }

    /// Whether it is here before, while and after it waits for another thread.
    package func places() async -> [Bool] {
        let before = isHere
        let elsewhere = FirstAnswer<Bool>()
        _ = DetachedThread.start { [self] in elsewhere.give(isHere) }
        let between = await elsewhere.value()
        return [before, between, isHere]
    }
}
