package import ResponderModel
import Platform

/// Several calls on one connection, in one transaction. The server ends it after ten seconds without a call.
package struct Transaction: Sendable {
    fileprivate let lane: Lane
    fileprivate let time: Duration

    @discardableResult
    package func run(_ query: Query) async throws(LedgerFault) -> ResultSet {
        guard let set = try await run([query]).last else { throw .corrupt("a statement without a result") }
        return set
    }

    /// Runs statements in one round trip.
    ///
    /// - Returns: the result of each.
    @discardableResult
    package func run(_ queries: [Query]) async throws(LedgerFault) -> [ResultSet] {
        do throws(BatchFault) {
            return try await lane.run(queries, until: deadline)
        } catch {
            throw error.fault
        }
    }

    /// Runs statements without parameters, separated by semicolons.
    package func script(_ sql: String) async throws(LedgerFault) {
        do throws(BatchFault) {
            try await lane.script(sql, until: deadline)
        } catch {
            throw error.fault
        }
    }

    fileprivate var deadline: MonotonicTime { MonotonicTime.now + time + .seconds(1) }

    package enum Kind: String, Sendable {
        case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case writing = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    }
}

extension Database {
    /// Does several things in a transaction, for work that is not a payer's: exports, migrations, upkeep, registrations.
    ///
    /// - Parameters:
    ///   - kind: what it is for.
    ///   - locks: statements that lock tables. A state that is read includes what was committed before they were locked.
    ///   - time: how long each statement may take.
    ///   - body: does it.
    /// - Throws: what the body throws; then nothing is written. `outcomeUnknown` when the commit was not answered.
    package func transaction<Result: Sendable>(
        _ kind: Transaction.Kind, locking locks: Query..., within time: Duration,
        _ body: (Transaction) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        let lane = try await lane()
        let transaction = Transaction(lane: lane, time: time)
        do throws(LedgerFault) {
            try await transaction.run([Query(kind.rawValue)] + locks + [.statementTimeout(time)])
            let result = try await body(transaction)
            let end: ResultSet?
            do throws(BatchFault) {
                end = try await lane.run([Query("COMMIT")], until: transaction.deadline).last
            } catch {
                throw kind == .writing && error.mayBeCommitted ? .outcomeUnknown : error.fault
            }
            // How PostgreSQL answers the COMMIT of a transaction in which a statement failed: not by an error.
            guard end?.command == "COMMIT" else { throw .storage("a statement of the transaction had failed") }
            takeBack(lane, isLost: false)
            return result
        } catch {
            let isBack = (try? await lane.run([Query("ROLLBACK")], until: transaction.deadline)) != nil
            takeBack(lane, isLost: !isBack)
            throw error
        }
    }
}
