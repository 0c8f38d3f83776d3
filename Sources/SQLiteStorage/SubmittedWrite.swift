import Platform

/// A submitted write, which is performed even when nobody waits for it.
public struct SubmittedWrite<Result: Sendable>: Sendable {
    let answer = FirstAnswer<Swift.Result<Result, StorageFault>>()

    /// The result of the write, once durable. Only one task may wait at a time.
    public func result() async throws(StorageFault) -> Result {
        try await answer.value().get()
    }
}
