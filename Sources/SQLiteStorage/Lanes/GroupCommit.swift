/// Writes that share one commit, and so one sync to disk.
struct GroupCommit {
    let connection: Connection

    /// Performs the writes in order and commits them; only then is each caller told.
    ///
    /// Nearly always all succeed, and a transaction suffices: a savepoint around each would take a third of the
    /// writer's time. When one throws, or the whole transaction fails, for example because the disk is full, each half
    /// is retried separately, and so on: in the end only what fails is rolled back.
    func commit(_ writes: ArraySlice<PendingWrite>) {
        do {
            try connection.setDurable(writes.contains(where: \.isDurable))
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
