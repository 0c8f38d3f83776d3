/// A database file that several processes share, each through one writer and a few readers.
///
/// ```swift
/// let database = try await Database.open(at: "/var/lib/responder/ledger.sqlite")
/// try await database.migrate(to: schema)
/// try await database.write { try $0.run("INSERT INTO invoice (label) VALUES (?1)", [.text(label)]) }
/// ```
public final class Database: Sendable {
    /// Where the file lies.
    public let path: String
    private let writer: Writer
    private let readers: ReaderPool
    private let isReadOnly: Bool

    private init(path: String, writer: Writer, readers: ReaderPool, isReadOnly: Bool = false) {
        self.path = path
        self.writer = writer
        self.readers = readers
        self.isReadOnly = isReadOnly
    }

    /// Opens a file, which is made when there is none (mode 0600, its folder 0700).
    ///
    /// - Parameters:
    ///   - patience: how long to wait for a lock that another process holds, before a call is `busy`.
    ///   - readers: how many reads may run at the same time; at least 1.
    public static func open(
        at path: String,
        patience: Duration = .seconds(5),
        readers: Int = 2
    ) async throws(StorageFault) -> Database {
        let writer = Writer()
        try await writer.open(path: path, patience: patience)
        return Database(
            path: path,
            writer: writer,
            readers: ReaderPool(count: max(1, readers), path: path, patience: patience)
        )
    }

    /// Opens a file that is there and that this process may not write, such as one on a file system mounted for reading. Every
    /// write throws `readOnly`.
    ///
    /// - Throws: `readOnly` too when a process that did not close the file has left a write-ahead log, and the index of that log
    ///   is missing: what stands in the log could not be seen.
    public static func openReadOnly(
        at path: String,
        patience: Duration = .seconds(5),
        readers: Int = 2
    ) async throws(StorageFault) -> Database {
        guard let access = try DatabaseFile.readingAccess(to: path) else { throw .readOnly }
        return Database(
            path: path,
            writer: Writer(refusing: .readOnly),
            readers: ReaderPool(count: max(1, readers), path: path, access: access, patience: patience),
            isReadOnly: true
        )
    }

    /// Brings a component's tables up to date; see `Connection.migrate(to:)`.
    public func migrate(to schema: Schema) async throws(StorageFault) {
        guard !isReadOnly else {
            let isCurrent = try await read { connection throws(StorageFault) in try connection.isCurrent(schema) }
            guard isCurrent else { throw .readOnly }
            return
        }
        try await writer.withConnection { connection throws(StorageFault) in try connection.migrate(to: schema) }
    }

    /// Writes, in a transaction that is durable on return.
    ///
    /// Writes that arrive while another is on its way to the disk share the next commit; one that comes alone is committed at
    /// once. They take effect in the order of their calls: when one has returned, all that were submitted before it are
    /// durable too. A body that throws has written nothing, and does not disturb the others.
    ///
    /// - Parameter body: may run again when what it wrote was undone, so it must change nothing but the database.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(StorageFault) -> Result {
        try await submit(body).result()
    }

    /// Submits a write and returns at once; the rest is as with `write(_:)`.
    public func submit<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result
    ) -> SubmittedWrite<Result> {
        let submitted = SubmittedWrite<Result>()
        writer.submit(PendingWrite(body, telling: submitted))
        return submitted
    }

    /// Reads, from one state of the database throughout, which includes every write that has returned.
    public func read<Result: Sendable>(
        _ body: @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(StorageFault) -> Result {
        try await readers.read(body)
    }

    /// What the writer has done so far.
    public var commitStatistics: CommitStatistics { writer.commitStatistics }

    /// Finishes the writes that were submitted and closes the file. Later calls throw `closed`.
    public func close() async {
        await readers.close()
        await writer.close()
    }
}
