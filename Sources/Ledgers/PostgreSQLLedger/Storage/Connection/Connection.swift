import LedgerRecords
import ResponderModel
import CPostgreSQL
import Platform

/// One connection to the server, for one thread at a time. Its calls block.
///
/// Statements are prepared when they are first used, and sent in pipeline mode: a batch is one transaction and one round
/// trip, since the server commits at the end of the pipeline (PostgreSQL 15, 34.5 Pipeline Mode).
final class Connection {
    let handle: OpaquePointer
    /// The server's process, as it says itself.
    private(set) var serverProcess: Int64 = 0
    private var names: [String: String] = [:]
    /// Whether it must not be used again: the server may owe an answer, which the next caller would take for its own.
    var isLost = false

    /// Connects with the first host that takes writes and is not behind a failover.
    static func open(
        to server: ServerSettings, statementTimeout: Duration
    ) throws(LedgerFault) -> sending Connection {
        var fault = LedgerFault.unreachable("the URL names no host")
        for host in server.hosts {
            do throws(LedgerFault) {
                return try Connection(to: host, statementTimeout: statementTimeout)
            } catch {
                if fault != .readOnly { fault = error }
            }
        }
        throw fault
    }

    private init(to server: ServerSettings, statementTimeout: Duration) throws(LedgerFault) {
        handle = try server.connect()
        // What is not read here would be printed.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw .unreachable("the connection was lost")
        }
        try setUp(statementTimeout)
        try server.history?.require(history())
    }

    deinit {
        PQfinish(handle)
    }

    /// Whether somebody between us and the server has made up the process number that cancels statements, as poolers do.
    var isPooled: Bool { Int64(PQbackendPID(handle)) != serverProcess }

    private func setUp(_ statementTimeout: Duration) throws(LedgerFault) {
        let facts: ResultSet?
        do throws(BatchFault) {
            facts = try run(
                [Query(Self.session, [.text("\(statementTimeout.wholeMilliseconds)")])],
                until: MonotonicTime.now + .seconds(5)
            ).first
        } catch {
            throw error.fault
        }
        let (process, encoding, version) =
            try facts?.first { row throws(LedgerFault) in
                (try row.integer(0), try row.text(1), try row.integer(2))
            } ?? (0, "", 0)
        guard encoding == "UTF8" else { throw .settings("the database must be encoded as UTF8, not \(encoding)") }
        guard version >= 140_000 else { throw .settings("PostgreSQL 14 or later is needed") }
        serverProcess = process
    }

    /// The cluster's number, and its timeline, which every failover raises; nil when the server does not tell.
    private func history() throws(LedgerFault) -> ServerHistory.Place? {
        let query = Query(
            """
            SELECT system_identifier::text, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) FROM pg_control_system()
            """)
        let found: ResultSet?
        do throws(BatchFault) {
            found = try run([query], until: MonotonicTime.now + .seconds(5)).first
        } catch {
            guard !error.losesConnection else { throw error.fault }
            return nil
        }
        return try found?.first { row throws(LedgerFault) in
            let timeline = try row.text(1)
            let cluster = try row.text(0)
            return UInt32(timeline, radix: 16).map { ServerHistory.Place(cluster: cluster, timeline: $0) }
        } ?? nil
    }

    /// A commit is durable on return whatever the database's own setting. Plans are made once: statements differ in their
    /// values only.
    private static let session = """
        SELECT pg_backend_pid(), current_setting('server_encoding'), current_setting('server_version_num')::bigint,
            set_config('statement_timeout', $1, false), set_config('lock_timeout', '1s', false),
            set_config('idle_in_transaction_session_timeout', '10s', false), set_config('jit', 'off', false),
            set_config('plan_cache_mode', 'force_generic_plan', false), set_config('TimeZone', 'UTC', false),
            set_config('default_transaction_isolation', 'read committed', false),
            set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
        """

    /// The name of a prepared statement; nil when it is to be prepared.
    func name(of sql: String) -> String? { names[sql] }

    func nextName(after preparing: Int) -> String { "s\(names.count + preparing)" }

    func remember(_ sql: String, as name: String) {
        names[sql] = name
    }
}
