/// Writes that share one commit, and so one wait for the disk.
struct GroupCommit {
    let connection: Connection

    /// Performs the writes in order and commits them; then, and not before, each caller is told.
    ///
    /// A write that fails is undone alone. When the transaction is lost as a whole, because the disk is full, say, each
    /// write is tried again by itself, so that the small ones still get through.
    func commit(_ writes: ArraySlice<PendingWrite>) {
        do {
            for deliver in try connection.transaction({ () throws(StorageFault) in try perform(writes) }) { deliver() }
        } catch {
            guard writes.count > 1, error != .busy else {
                for write in writes { write.fail(error) }
                return
            }
            for index in writes.indices { commit(writes[index...index]) }
        }
    }

    private func perform(_ writes: ArraySlice<PendingWrite>) throws(StorageFault) -> [PendingWrite.Delivery] {
        var deliveries: [PendingWrite.Delivery] = []
        deliveries.reserveCapacity(writes.count)
        for write in writes {
            do {
                deliveries.append(try performAlone(write, of: writes.count))
            } catch {
                guard connection.isInTransaction, writes.count > 1 else { throw error }
                deliveries.append { write.fail(error) }
            }
        }
        return deliveries
    }

    private func performAlone(_ write: PendingWrite, of count: Int) throws(StorageFault) -> PendingWrite.Delivery {
        guard count > 1 else { return try write.perform(connection) }
        return try connection.savepoint { () throws(StorageFault) in try write.perform(connection) }
    }
}
