package import ResponderModel
package import LNURL
package import LightningCoding

/// A ledger in a database. What is the same in every database is written once, as extensions of this protocol: in SQL that
/// all of them understand, with `$1`, `$2`, … for values, and columns that are read by their names.
package protocol SQLLedger: Ledger, RecordStore {
    associatedtype Connection: LedgerConnection

    /// Reads. Several statements need not see the same state.
    ///
    /// - Parameters:
    ///   - time: how long a statement may take, if longer than a payer waits.
    ///   - body: may run again when the connection is lost.
    func read<Result: Sendable>(
        within time: Duration?, _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result

    /// Writes in one transaction, which is durable on return. When the body throws, nothing is written.
    ///
    /// - Parameters:
    ///   - lease: a lease that must be held; `leaseLost` is thrown otherwise, and nothing is written.
    ///   - time: how long a statement may take, if longer than a payer waits.
    ///   - body: may run again after a rollback, so it must change nothing but the database.
    func write<Result: Sendable>(
        under lease: Lease?, within time: Duration?,
        _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result

    /// Writes by one statement.
    ///
    /// - Returns: how many rows it has changed.
    @discardableResult
    func change(under lease: Lease?, _ sql: String, _ values: [StoredValue]) async throws(LedgerFault) -> Int

    /// The time that leases go by; null where it is the database's.
    func ownTime() throws(LedgerFault) -> StoredValue

    /// Makes the partition of invoices that are issued then, where the database has partitions.
    func makePartition(for moment: UnixTime) async throws(LedgerFault)

    /// What is wrong with the database's files, as far as the database itself can tell.
    func fileProblems() async throws(LedgerFault) -> [String]
}

/// A connection to a ledger's database, on its thread.
package protocol LedgerConnection {
    associatedtype Row: StoredRow

    /// Runs a statement, at the latest before the next one that returns something, or at the end of the transaction.
    func run(_ sql: String, _ values: [StoredValue]) throws(LedgerFault)

    /// Runs a statement.
    ///
    /// - Returns: how many rows it has changed.
    func changes(_ sql: String, _ values: [StoredValue]) throws(LedgerFault) -> Int

    func rows<Element>(
        _ sql: String, _ values: [StoredValue], _ read: (Row) throws(LedgerFault) -> Element
    ) throws(LedgerFault) -> [Element]

    /// Keeps other transactions from deciding on the same until this one ends.
    func lock(_ lock: LedgerLock) throws(LedgerFault)

    /// Tells the other processes of a change of accounts or domains, once it is committed.
    func tellOfAccounts() throws(LedgerFault)

    /// Adds or replaces a registration, with the next version.
    func put(_ registration: Registration, in domain: Int64) throws(LedgerFault)

    /// Deletes what is over of what only this kind of ledger has.
    func pruneOwnTables() throws(LedgerFault)

    /// Inserts an invoice whose values are those of `IssuedInvoice.values`.
    static var addingInvoice: String { get }

    /// Narrows a search of `invoice` to those issued in a second, as `AND …`; empty where that is of no use.
    static func issued(at second: String) -> String

    /// The time, in seconds since 1970.
    static var now: String { get }

    /// The index that a `SELECT` shall use, behind the table's name, where the database does not choose for itself.
    static func indexed(by index: String) -> String

    /// What makes a `SELECT` lock its rows until the transaction ends, but for those that others have locked.
    static var skippingLocked: String { get }
}

/// What one transaction at a time decides on.
package enum LedgerLock: Sendable {
    case accounts
    /// The registration of a key, and a name of its domain. They may not be there yet.
    case registration(RegistrationID, name: AddressName?)
    case name(AccountID)
    case registrations(in: DomainName)
    /// The devices and messages of a device's owner.
    case ownerOf(DeviceID)
    case device(DeviceID)
    case work(OutboxID)
    /// How much work of a kind there is about a subject.
    case workAbout(OutboxSubject, OutboxKind)
}

extension LedgerConnection {
    package func run(_ sql: String) throws(LedgerFault) { try run(sql, []) }

    package func rows<Element>(
        _ sql: String, _ read: (Row) throws(LedgerFault) -> Element
    ) throws(LedgerFault) -> [Element] {
        try rows(sql, [], read)
    }

    package func first<Element>(
        _ sql: String, _ values: [StoredValue] = [], _ read: (Row) throws(LedgerFault) -> Element
    ) throws(LedgerFault) -> Element? {
        try rows(sql, values, read).first
    }

    package func exists(_ sql: String, _ values: [StoredValue]) throws(LedgerFault) -> Bool {
        try !rows(sql, values) { _ in }.isEmpty
    }
}

/// How long what reads or deletes many rows may take; payers do not wait for it.
package let longWork = Duration.seconds(60)

extension SQLLedger {
    /// Reads, as quickly as a payer waits.
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await read(within: nil, body)
    }

    /// Writes, as quickly as a payer waits.
    package func write<Result: Sendable>(
        under lease: Lease? = nil, _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await write(under: lease, within: nil, body)
    }

    package func rows<Element: Sendable>(
        _ sql: String, _ values: [StoredValue] = [], within time: Duration? = nil,
        _ read: @escaping @Sendable (Connection.Row) throws(LedgerFault) -> Element
    ) async throws(LedgerFault) -> [Element] {
        try await self.read(within: time) { connection throws(LedgerFault) in try connection.rows(sql, values, read) }
    }

    package func first<Element: Sendable>(
        _ sql: String, _ values: [StoredValue] = [],
        _ read: @escaping @Sendable (Connection.Row) throws(LedgerFault) -> Element
    ) async throws(LedgerFault) -> Element? {
        try await rows(sql, values, read).first
    }

    /// A page of rows, newest first.
    package func page<Element: Sendable>(
        _ listing: Listing, of limit: Int, within time: Duration? = nil,
        _ read: @escaping @Sendable (Connection.Row) throws(LedgerFault) -> Element
    ) async throws(LedgerFault) -> Page<Element> {
        // One more than requested is read, to know whether there is a next page.
        let found = try await rows(listing.sql, listing.values, within: time) { row throws(LedgerFault) in
            (position: try row.integer("position"), element: try read(row))
        }
        return Page(of: limit, from: found)
    }

    package func change(
        under lease: Lease?, _ sql: String, _ values: [StoredValue]
    ) async throws(LedgerFault) -> Int {
        try await write(under: lease) { connection throws(LedgerFault) in try connection.changes(sql, values) }
    }

    @discardableResult
    package func change(_ sql: String, _ values: [StoredValue] = []) async throws(LedgerFault) -> Int {
        try await change(under: nil, sql, values)
    }
}

/// The `SELECT` for a page of rows, newest first: only the conditions that are asked for, so that each combination is
/// planned for itself.
package struct Listing: Sendable {
    package private(set) var values: [StoredValue] = []
    private let query: String
    private let position: String
    private var conditions: [String] = []

    /// - Parameters:
    ///   - columns: the columns.
    ///   - table: the table, with what is joined.
    ///   - position: the column of positions.
    ///   - limit: how many rows the page has.
    package init(
        of columns: String, from table: String, position: String = "id", after mark: PageMark?, limit: Int
    ) {
        query = "SELECT \(columns), \(position) AS position FROM \(table)"
        self.position = position
        require("\(position) <", .integer(mark?.position ?? .max))
        values.append(.integer(Int64(clamping: limit) + 1))
    }

    package var sql: String {
        "\(query) WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(position) DESC LIMIT $2"
    }

    package mutating func require(_ condition: String) {
        conditions.append(condition)
    }

    /// - Parameter condition: what stands before the value.
    package mutating func require(_ condition: String, _ value: StoredValue) {
        values.append(value)
        conditions.append("\(condition) $\(values.count)")
    }

    package mutating func requireAccount(_ account: AccountID) {
        values += account.values()
        conditions.append("account = \(AccountID.number("$\(values.count - 1)", "$\(values.count)"))")
    }
}
