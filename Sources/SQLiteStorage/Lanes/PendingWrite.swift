/// A write on its way to the writer, and the caller who waits for it.
struct PendingWrite: Sendable {
    /// What tells the caller how it went.
    typealias Delivery = @Sendable () -> Void

    /// Writes. The delivery is for after the commit.
    let perform: @Sendable (Connection) throws(StorageFault) -> Delivery
    /// Tells the caller that nothing was written.
    let fail: @Sendable (StorageFault) -> Void

    init<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result,
        waiting continuation: CheckedContinuation<Swift.Result<Result, StorageFault>, Never>
    ) {
        perform = { connection throws(StorageFault) in
            let result = try body(connection)
            return { continuation.resume(returning: .success(result)) }
        }
        fail = { fault in continuation.resume(returning: .failure(fault)) }
    }
}
