extension Task where Failure == Never {
    /// A task that runs on its creator's thread up to its first wait, before this returns, and then where its creator
    /// prefers to run. One made by `Task { }` would wake a thread of the pool, and so would each end of a wait.
    package static func startingHere(_ operation: sending @escaping () async -> Success) -> Task {
        guard #available(macOS 26.4, iOS 26.4, *) else { return Task(operation: operation) }
        return immediate(executorPreference: preferredExecutor, operation: operation)
    }

    /// A task that runs where its creator prefers to run, and has not begun when this returns; on any thread without such
    /// a preference.
    @discardableResult
    package static func stayingHere(_ operation: sending @escaping () async -> Success) -> Task {
        guard #available(macOS 26.4, iOS 26.4, *) else { return Task(operation: operation) }
        return Task(executorPreference: preferredExecutor, operation: operation)
    }

    /// Nil for any thread of the pool.
    @available(macOS 26.4, iOS 26.4, *)
    private static var preferredExecutor: (any TaskExecutor)? {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
    }
}
