import Logging
import Platform
import ServiceLifecycle

/// The first part of a shutdown: the service says that it is not ready, and serves on until a load balancer has seen
/// it. Every response then ends its connection, so that nobody waits on one when the listeners stop.
final class Draining: Service {
    private struct State {
        var hasOpened = false
        var isDraining = false
    }

    private let state = Guarded(State())
    private let time: Duration
    private let clock: MonotonicClock
    private let logger: Logger

    init(time: Duration, clock: MonotonicClock = .system, logger: Logger) {
        self.time = time
        self.clock = clock
        self.logger = logger
    }

    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Notes that payers are served: before, there is nothing to drain.
    func open() {
        state.withLock { $0.hasOpened = true }
    }

    /// Waits for shutdown, and then for the time of draining.
    func run() async throws {
        try? await gracefulShutdown()
        let hasOpened = state.withLock { state in
            state.isDraining = true
            return state.hasOpened
        }
        guard hasOpened, time > .zero else { return }
        logger.info("no longer ready", metadata: ["seconds-to-serve": "\(time / .seconds(1))"])
        try? await clock.sleep(clock.now() + time)
    }
}

/// A task that runs until the service shuts down, which cancels it.
struct BackgroundTask: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }
}

/// What is done once, when the service shuts down.
struct ShutdownTask: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
        try? await gracefulShutdown()
        await work()
    }
}
