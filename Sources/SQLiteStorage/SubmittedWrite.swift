import Platform

/// A write that was submitted, and will be done even when nobody waits for it.
public struct SubmittedWrite<Result: Sendable>: Sendable {
    let answer = FirstAnswer<Swift.Result<Result, StorageFault>>()

    /// What the write has returned, when it is durable. One at a time may wait.
    public func result() async throws(StorageFault) -> Result {
        try await answer.value().get()
    }
}
