import ResponderModel
import CPostgreSQL
import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Connection {
    private enum Answer {
        case prepared(sql: String, name: String)
        case rows
    }

    /// Runs statements as one transaction, unless one is open, in one round trip.
    func run(_ queries: [Query], until deadline: MonotonicTime) throws(BatchFault) -> [ResultSet] {
        try exchange { () throws(BatchFault) in try results(for: send(queries), until: deadline) }
    }

    /// Runs statements without parameters, separated by semicolons.
    func script(_ sql: String, until deadline: MonotonicTime) throws(BatchFault) {
        try exchange { () throws(BatchFault) in
            guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, sql) == 1 else {
                throw lost(mayBeCommitted: false)
            }
            var failure: ServerError?
            while let result = try next(until: deadline) {
                let set = ResultSet(result)
                if PQresultStatus(set.handle) == PGRES_FATAL_ERROR { failure = failure ?? ServerError(set.handle) }
            }
            guard PQenterPipelineMode(handle) == 1 else { throw lost(mayBeCommitted: true) }
            if let failure { throw BatchFault(failure, mayBeCommitted: failure.mayFollowCommit) }
        }
    }

    private func exchange<Value>(_ body: () throws(BatchFault) -> Value) throws(BatchFault) -> Value {
        try requireAlive()
        do throws(BatchFault) {
            return try body()
        } catch {
            isLost = error.losesConnection
            throw error
        }
    }

    /// Waits until something arrives that nobody asked for; false at the deadline, or when woken.
    func hears(until deadline: MonotonicTime) throws(BatchFault) -> Bool {
        try wait(for: Int16(POLLIN), until: deadline)
        guard PQconsumeInput(handle) == 1 else { throw lost(mayBeCommitted: false) }
        var isTold = false
        while let notice = PQnotifies(handle) {
            isTold = true
            PQfreemem(notice)
        }
        return isTold
    }

    /// Notices before anything is sent that the server has ended an idle session.
    private func requireAlive() throws(BatchFault) {
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        for _ in 0..<4 where poll(&socket, 1, 0) > 0 {
            guard PQconsumeInput(handle) == 1 else { throw lost(mayBeCommitted: false) }
        }
        guard !isLost, PQstatus(handle) == CONNECTION_OK else { throw lost(mayBeCommitted: false) }
    }

    private func send(_ queries: [Query]) throws(BatchFault) -> [Answer] {
        var answers: [Answer] = []
        var preparing: [String: String] = [:]
        // All values are read before anything is sent: nothing is left half sent when one is unusable.
        var parameters: [Parameters] = []
        do throws(LedgerFault) {
            for query in queries { parameters.append(try Parameters(query.values)) }
        } catch {
            throw .unsent(error)
        }
        for (query, values) in zip(queries, parameters) {
            let name: String
            if let known = self.name(of: query.sql) ?? preparing[query.sql] {
                name = known
            } else {
                name = nextName(after: preparing.count)
                preparing[query.sql] = name
                answers.append(.prepared(sql: query.sql, name: name))
                guard PQsendPrepare(handle, name, query.sql, 0, nil) == 1 else { throw lost(mayBeCommitted: false) }
            }
            answers.append(.rows)
            guard send(name, values) == 1 else { throw lost(mayBeCommitted: false) }
        }
        // Until the pipeline has its end nothing can be committed.
        guard PQpipelineSync(handle) == 1 else { throw lost(mayBeCommitted: true) }
        return answers
    }

    private func send(_ name: String, _ values: Parameters) -> Int32 {
        values.bytes.withUnsafeBytes { bytes in
            let starts = values.ranges.map { range in
                range.flatMap { bytes.baseAddress?.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
            }
            let lengths = values.ranges.map { Int32($0?.count ?? 0) }
            let binary = [Int32](repeating: 1, count: starts.count)
            return PQsendQueryPrepared(handle, name, Int32(starts.count), starts, lengths, binary, 1)
        }
    }

    private func results(
        for answers: [Answer], until deadline: MonotonicTime
    ) throws(BatchFault) -> [ResultSet] {
        var sets: [ResultSet] = []
        var failure: (error: ServerError, isAtCommit: Bool)?
        /// Once the server has refused a statement it commits none of them.
        var mayBeCommitted: Bool { failure.map { $0.isAtCommit && $0.error.mayFollowCommit } ?? true }
        var index = 0
        while true {
            let result: OpaquePointer?
            do throws(BatchFault) {
                result = try next(until: deadline)
            } catch {
                throw .lost(
                    failure?.error.fault ?? error.fault, mayBeCommitted: mayBeCommitted,
                    remedy: failure?.error.remedy)
            }
            guard let result else {
                // Between two answers.
                guard PQstatus(handle) == CONNECTION_OK else { throw lost(mayBeCommitted: mayBeCommitted) }
                continue
            }
            let set = ResultSet(result)
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                if let failure { throw BatchFault(failure.error, mayBeCommitted: false) }
                return sets
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                switch index < answers.count ? answers[index] : .rows {
                case .prepared(let sql, let name): remember(sql, as: name)
                case .rows: sets.append(set)
                }
            case PGRES_PIPELINE_ABORTED: break
            default:
                let error = ServerError(result)
                guard error.code != nil else {
                    throw .lost(
                        failure?.error.fault ?? error.fault, mayBeCommitted: mayBeCommitted,
                        remedy: failure?.error.remedy)
                }
                if failure == nil { failure = (error, isAtCommit: index >= answers.count) }
            }
            index += 1
        }
    }

    /// The next result, once it is there; nil between two of them.
    private func next(until deadline: MonotonicTime) throws(BatchFault) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            let isUnsent = PQflush(handle)
            guard isUnsent >= 0 else { throw lost(mayBeCommitted: true) }
            // While the server waits for its own answers to be read, it reads nothing.
            let events = isUnsent == 1 ? POLLIN | POLLOUT : POLLIN
            guard try wait(for: Int16(events), until: deadline) else {
                throw .lost(.busy, mayBeCommitted: true)
            }
            guard PQconsumeInput(handle) == 1 else { throw lost(mayBeCommitted: true) }
        }
        return PQgetResult(handle)
    }

    /// False at the deadline.
    @discardableResult
    private func wait(for events: Int16, until deadline: MonotonicTime) throws(BatchFault) -> Bool {
        // Its number may change with every call of libpq.
        var socket = pollfd(fd: PQsocket(handle), events: events, revents: 0)
        guard socket.fd >= 0 else { throw lost(mayBeCommitted: true) }
        while true {
            let left = (deadline - MonotonicTime.now).wholeMilliseconds
            let count = poll(&socket, 1, Int32(clamping: left))
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }

    private func lost(mayBeCommitted: Bool) -> BatchFault {
        .lost(.unreachable("the connection was lost"), mayBeCommitted: mayBeCommitted)
    }
}
