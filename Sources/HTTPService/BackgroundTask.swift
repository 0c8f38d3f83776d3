import ServiceLifecycle

/// A task that runs until the service shuts down, which cancels it.
struct BackgroundTask: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }
}
