package import LedgerRecords
import Platform
package import ResponderModel

/// A database file shared by several processes, each with one writer and a few readers.
///
/// ```swift
/// let database = try await Database.open(at: "/var/lib/responder/ledger.sqlite")
/// try await database.migrate(to: schema)
/// try await database.write { try $0.run("INSERT INTO invoice (label) VALUES (?1)", [.text(label)]) }
/// ```
package final class Database: Sendable {
    package let path: String
    private let writer: Writer
    private let readers: ReaderPool
    /// Whether every write throws `readOnly`.
    package let isReadOnly: Bool

    private init(path: String, writer: Writer, readers: ReaderPool, isReadOnly: Bool = false) {
        self.path = path
        self.writer = writer
        self.readers = readers
        self.isReadOnly = isReadOnly
    }

    /// Opens a file, creating it if missing (mode 0600, its folder 0700).
    ///
    /// - Parameter timeout: how long to wait for another process's lock before a call throws `busy`.
    package static func open(
        at path: String,
        timeout: Duration = .seconds(5)
    ) async throws(LedgerFault) -> Database {
        let writer = Writer()
        try await writer.open(path: path, timeout: timeout)
        return Database(
            path: path,
            writer: writer,
            readers: ReaderPool(path: path, timeout: timeout)
        )
    }

    /// Opens an existing file that this process may not write, for example on a read-only file system. Every write
    /// throws `readOnly`.
    ///
    /// - Throws: also `readOnly` when an unclean shutdown left a write-ahead log without its index: what is in the log
    ///   could not be read.
    package static func openReadOnly(at path: String) async throws(LedgerFault) -> Database {
        guard let access = try DatabaseFile.readingAccess(to: path) else { throw .readOnly }
        return Database(
            path: path,
            writer: Writer(refusing: .readOnly),
            readers: ReaderPool(path: path, access: access, timeout: .seconds(5)),
            isReadOnly: true
        )
    }

    package func isCurrent(_ schema: Schema) async throws(LedgerFault) -> Bool {
        try await read { connection throws(LedgerFault) in try connection.isCurrent(schema) }
    }

    /// Migrates a component's tables; see `Connection.migrate(to:)`.
    package func migrate(to schema: Schema) async throws(LedgerFault) {
        guard !isReadOnly else {
            guard try await isCurrent(schema) else { throw .readOnly }
            return
        }
        try await writer.withConnection { connection throws(LedgerFault) in try connection.migrate(to: schema) }
    }

    /// Writes in a transaction that is durable on return.
    ///
    /// Writes that arrive during a commit share the next one; a single write is committed at once. They take effect in
    /// the order of their calls: when one has returned, all submitted before it are durable too. A body that throws has
    /// written nothing, and does not affect the others.
    ///
    /// - Parameter body: may run again after a rollback, so it must change nothing but the database.
    @discardableResult
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        let answer = FirstAnswer<Swift.Result<Result, LedgerFault>>()
        writer.submit(PendingWrite(body) { answer.give($0) })
        return try await answer.value().get()
    }

    /// Reads from one consistent state of the database, which includes every write that has returned.
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await readers.read(body)
    }

    package var statistics: LedgerStatistics { writer.commitStatistics }

    /// Finishes the submitted writes and closes the file. Later calls throw `closed`.
    package func close() async {
        await readers.close()
        await writer.close()
    }
}
