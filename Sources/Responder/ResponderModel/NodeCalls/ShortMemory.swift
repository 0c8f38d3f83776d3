import Platform

/// Caches one response of the node for a few seconds. Concurrent callers share one request; faults are not cached.
package actor ShortMemory<Value: Sendable> {
    private let duration: Duration
    private var kept: (value: Value, until: MonotonicTime)?
    private var asking: Task<Result<Value, BackendFault>, Never>?

    package init(for duration: Duration) {
        self.duration = duration
    }

    /// Clears the cache: the node may have changed or be gone.
    package func forget() {
        kept = nil
    }

    /// The cached value, or a new one.
    package func value(
        asking ask: @escaping @Sendable () async throws(BackendFault) -> Value
    ) async throws(BackendFault) -> Value {
        if let kept, MonotonicTime.now < kept.until { return kept.value }
        if let asking { return try await asking.value.get() }
        let task = Task { () -> Result<Value, BackendFault> in
            do throws(BackendFault) {
                return .success(try await ask())
            } catch {
                return .failure(error)
            }
        }
        asking = task
        let outcome = await task.value
        asking = nil
        let value = try outcome.get()
        kept = (value, MonotonicTime.now + duration)
        return value
    }
}
