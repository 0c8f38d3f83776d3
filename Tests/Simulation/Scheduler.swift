import Dispatch
import Foundation
import Platform

/// Numbers from a seed (SplitMix64).
struct Draws {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

    mutating func isOne(of count: Int) -> Bool { below(count) == 0 }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(range.lowerBound + below(range.upperBound - range.lowerBound + 1))
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}

/// Runs every task of the process on one thread: the next one is drawn from the seed, and time goes on only when none can run.
final class Scheduler: @unchecked Sendable {
    /// The one of the present run.
    nonisolated(unsafe) static var current = Scheduler(seed: 0)

    private let ready = Guarded<[UnownedJob]>([])
    private var sleepers: [(until: Duration, sleep: Sleep)] = []
    private var draws: Draws
    private(set) var now = Duration.zero
    private(set) var steps = 0

    init(seed: UInt64) { draws = Draws(seed: seed) }

    /// Sends every task that has no executor of its own to the present scheduler, from now on.
    static func takeOver() {
        typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void
        guard let hook = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else {
            fatalError("the runtime has no hook for its executor; a program that links it statically hides it")
        }
        hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in
            Scheduler.current.ready.withLock { $0.append(job) }
        }
        // A pause by the system's clock would not be the same in the next run.
        typealias DeadlineHook = @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob, UInt) -> Void
        dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobalWithDeadline_hook")?
            .assumingMemoryBound(to: DeadlineHook?.self).pointee = { _, _, _, _, _, _, _ in
                fatalError("something sleeps by the system's clock")
            }
    }

    /// Runs until that is so.
    ///
    /// - Returns: false when nothing is left to run.
    func run(until isOver: () -> Bool) -> Bool {
        while !isOver() {
            let job = ready.withLock { ready -> UnownedJob? in
                guard !ready.isEmpty else { return nil }
                return ready.remove(at: draws.below(ready.count))
            }
            if let job {
                steps += 1
                job.runSynchronously(on: Here.shared.asUnownedTaskExecutor())
            } else {
                guard let next = sleepers.indices.min(by: { sleepers[$0].until < sleepers[$1].until }) else {
                    return false
                }
                let (until, sleep) = sleepers.remove(at: next)
                now = max(now, until)
                sleep.end(.success(()))
            }
        }
        return true
    }

    /// Returns at that moment; throws when the task is canceled first.
    func sleep(until moment: Duration) async throws {
        let sleep = Sleep()
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                sleepers.append((moment, sleep))
                sleep.begin(continuation)
            }
        } onCancel: {
            sleep.end(.failure(CancellationError()))
        }
    }

    /// What the calls of threads of the real ledger return: nothing else goes on meanwhile.
    func outside<Value: Sendable, Fault: Error>(
        _ work: @escaping @Sendable () async throws(Fault) -> Value
    ) throws(Fault) -> Value {
        let result = Guarded<Result<Value, Fault>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: Outside.shared) {
            do throws(Fault) {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let result = result.withLock({ $0 }) else { fatalError("no result") }
        return try result.get()
    }

    /// Which work runs on the scheduler's thread.
    private final class Here: TaskExecutor {
        static let shared = Here()
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            Scheduler.current.ready.withLock { $0.append(job) }
        }
    }

    private final class Outside: TaskExecutor {
        static let shared = Outside()
        private let queue = DispatchQueue(label: "outside")
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

/// A task that sleeps; it wakes once.
private final class Sleep: Sendable {
    private enum State {
        case new
        case asleep(UnsafeContinuation<Void, any Error>)
        case over(Result<Void, any Error>)
    }

    private let state = Guarded(State.new)

    func begin(_ continuation: UnsafeContinuation<Void, any Error>) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if case .over(let result) = state { return result }
            state = .asleep(continuation)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> UnsafeContinuation<Void, any Error>? in
            defer { if case .over = state {} else { state = .over(result) } }
            if case .asleep(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(with: result)
    }
}
