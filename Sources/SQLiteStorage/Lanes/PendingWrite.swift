import Platform

/// A submitted write and the caller waiting for it.
struct PendingWrite: Sendable {
    /// Reports the result to the caller.
    typealias Delivery = @Sendable () -> Void

    /// Performs the write. The delivery runs after the commit.
    let perform: @Sendable (Connection) throws(StorageFault) -> Delivery
    /// Whether it must be on disk once it is committed.
    let isDurable: Bool
    /// Tells the caller that nothing was written.
    let fail: @Sendable (StorageFault) -> Void

    init<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result,
        isDurable: Bool,
        telling answer: FirstAnswer<Swift.Result<Result, StorageFault>>
    ) {
        self.isDurable = isDurable
        perform = { connection throws(StorageFault) in
            let result = try body(connection)
            return { answer.give(.success(result)) }
        }
        fail = { fault in answer.give(.failure(fault)) }
    }
}
