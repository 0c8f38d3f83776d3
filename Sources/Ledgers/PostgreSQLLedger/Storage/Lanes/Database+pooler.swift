import ResponderModel
import LightningCoding
import Platform

extension Database {
    /// Refuses a pooler that hands each transaction to another session: named statements, `LISTEN` and settings of a
    /// session would be lost or be others'.
    ///
    /// A pooler makes up the process number that a client is told. If there is one, two connections are compared: a
    /// session that both are given belongs to neither.
    func requireOwnSessions() async throws(LedgerFault) {
        let first = try await lane()
        defer { takeBack(first, isLost: false) }
        guard await first.session.isPooled else { return }
        let second = try await Lane.connected(to: server, statementTimeout: timeout)
        var seen: [Set<Int64>] = [[await first.session.process], [await second.session.process]]
        for _ in 0..<8 {
            for (index, lane) in [first, second].enumerated() {
                seen[index].insert(try await process(of: lane))
            }
            guard seen[0].isDisjoint(with: seen[1]), seen.allSatisfy({ $0.count == 1 }) else {
                throw .transactionPooling
            }
        }
    }

    private func process(of lane: Lane) async throws(LedgerFault) -> Int64 {
        do throws(BatchFault) {
            let set = try await lane.run(
                [Query("SELECT pg_backend_pid()")], until: MonotonicTime.now + timeout)
            return try rethrowing(set.last?.first { row throws(LedgerFault) in try row.integer(0) } ?? 0) {
                (fault: LedgerFault) in BatchFault.unsent(fault)
            }
        } catch {
            throw error.fault
        }
    }
}
