extension Task where Failure == Never {
    /// A task that starts on its creator's thread until it first suspends, and goes on where its creator prefers to run.
    ///
    /// As one that is merely created it would wake a thread of the pool, and so would whatever it waits for.
    package static func startingHere(_ operation: sending @escaping () async -> Success) -> Task {
        guard #available(macOS 26.4, iOS 26.4, *) else { return Task(operation: operation) }
        return immediate(executorPreference: preferredExecutor, operation: operation)
    }

    /// A task that runs where its creator prefers to run, once the creator suspends.
    @discardableResult
    package static func stayingHere(_ operation: sending @escaping () async -> Success) -> Task {
        guard #available(macOS 26.4, iOS 26.4, *) else { return Task(operation: operation) }
        return Task(executorPreference: preferredExecutor, operation: operation)
    }

    /// Nil for a thread of the pool.
    @available(macOS 26.4, iOS 26.4, *)
    private static var preferredExecutor: (any TaskExecutor)? {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
    }
}
