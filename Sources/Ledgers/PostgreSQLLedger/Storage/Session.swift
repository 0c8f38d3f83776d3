package import ResponderModel
import Platform

/// The statements of one call on a connection, on its thread. Those that return nothing wait for the next one that does, or
/// for the end, and are sent with it: a write without any of these is one round trip.
package final class Session {
    private let connection: Connection
    private let isWriting: Bool
    private let deadline: MonotonicTime
    private var waiting: [Query] = []
    /// Sent before the first statement, with it; for reads before each, of which each is a transaction.
    private let beginning: [Query]
    private var hasBegun = false
    private var fault: BatchFault?

    init(on connection: Connection, isWriting: Bool, statementTimeout: Duration?, until deadline: MonotonicTime) {
        self.connection = connection
        self.isWriting = isWriting
        self.deadline = deadline
        beginning = statementTimeout.map { [.statementTimeout($0)] } ?? []
    }

    /// Runs a statement before the next one that returns something.
    package func add(_ query: Query) {
        waiting.append(query)
    }

    package func run(_ query: Query) throws(LedgerFault) -> ResultSet {
        waiting.append(query)
        if isWriting, !hasBegun {
            waiting = [Query(Transaction.Kind.writing.rawValue)] + beginning + waiting
            hasBegun = true
        } else if !isWriting {
            waiting = beginning + waiting
        }
        guard let set = try send().last else { throw .corrupt("a statement without a result") }
        return set
    }

    /// Commits, or undoes what was written.
    func end(commits: Bool) throws(BatchFault) {
        if fault == nil, commits, !waiting.isEmpty || hasBegun {
            waiting = hasBegun ? waiting + [Query("COMMIT")] : beginning + waiting
            _ = try? send()
            if fault == nil { return }
        }
        if hasBegun, fault?.losesConnection != true {
            do throws(BatchFault) {
                _ = try connection.run([Query("ROLLBACK")], until: deadline + .seconds(1))
            } catch let rollback {
                throw .lost(
                    fault?.fault ?? rollback.fault, mayBeCommitted: fault?.mayBeCommitted ?? false,
                    remedy: fault?.remedy)
            }
        }
        if let fault { throw fault }
    }

    private func send() throws(LedgerFault) -> [ResultSet] {
        if let fault { throw fault.fault }
        defer { waiting = [] }
        do throws(BatchFault) {
            return try connection.run(waiting, until: deadline)
        } catch {
            // What was sent before the commit is not committed.
            let mayBeCommitted = error.mayBeCommitted && (!hasBegun || waiting.last?.sql == "COMMIT")
            fault = error
            fault?.mayBeCommitted = mayBeCommitted
            throw error.fault
        }
    }
}
