/// A submitted write and who is told about it.
struct PendingWrite: Sendable {
    /// Reports the result.
    typealias Delivery = @Sendable () -> Void

    /// Performs the write. The delivery runs after the commit.
    let perform: @Sendable (Connection) throws(StorageFault) -> Delivery
    /// Whether it must be on disk once it is committed.
    let isDurable: Bool
    /// Reports that nothing was written.
    let fail: @Sendable (StorageFault) -> Void

    init<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Value,
        isDurable: Bool,
        whenDone: @escaping @Sendable (Result<Value, StorageFault>) -> Void
    ) {
        self.isDurable = isDurable
        perform = { connection throws(StorageFault) in
            let value = try body(connection)
            return { whenDone(.success(value)) }
        }
        fail = { whenDone(.failure($0)) }
    }
}
