import Platform

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
        telling submitted: SubmittedWrite<Result>
    ) {
        perform = { connection throws(StorageFault) in
            let result = try body(connection)
            return { submitted.answer.give(.success(result)) }
        }
        fail = { fault in submitted.answer.give(.failure(fault)) }
    }
}
