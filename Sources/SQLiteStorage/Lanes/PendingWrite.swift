import Platform

/// A submitted write and the caller waiting for it.
struct PendingWrite: Sendable {
    /// Reports the result to the caller.
    typealias Delivery = @Sendable () -> Void

    /// Performs the write. The delivery runs after the commit.
    let perform: @Sendable (Connection) throws(StorageFault) -> Delivery
    /// Tells the caller that nothing was written.
    let fail: @Sendable (StorageFault) -> Void

    init<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result,
        telling submitted: SubmittedWrite<Result>
    ) {
        perform = { connection throws(StorageFault) in
            let result = try body(connection)
            return { submitted.answer.give(.success(result)) }
        }
        fail = { fault in submitted.answer.give(.failure(fault)) }
    }
}
