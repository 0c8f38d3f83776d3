/// Writes that share one commit, and so one wait for the disk.
struct GroupCommit {
    let connection: Connection

    /// Performs the writes in order and commits them; then, and not before, each caller is told.
    ///
    /// Nearly always all of them succeed, and a transaction is all that they need: a savepoint around each would take a third
    /// of the writer's time. When one throws, or the transaction is lost as a whole, because the disk is full, say, each half
    /// is tried by itself, and so on: in the end what fails is undone alone, and what fits gets through.
    func commit(_ writes: ArraySlice<PendingWrite>) {
        do {
            for deliver in try connection.transaction({ () throws(StorageFault) in try perform(writes) }) { deliver() }
        } catch {
            guard writes.count > 1, error != .busy else {
                for write in writes { write.fail(error) }
                return
            }
            let middle = writes.startIndex + writes.count / 2
            commit(writes[..<middle])
            commit(writes[middle...])
        }
    }

    private func perform(_ writes: ArraySlice<PendingWrite>) throws(StorageFault) -> [PendingWrite.Delivery] {
        var deliveries: [PendingWrite.Delivery] = []
        deliveries.reserveCapacity(writes.count)
        for write in writes { deliveries.append(try write.perform(connection)) }
        return deliveries
    }
}
