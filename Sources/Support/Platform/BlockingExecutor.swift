import Dispatch

/// A thread for blocking calls, those of an actor for example, so that they do not block the shared thread pool.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Creates one.
    ///
    /// - Parameter label: its name in debuggers.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Runs work without a task, which would first have to start on another thread.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
