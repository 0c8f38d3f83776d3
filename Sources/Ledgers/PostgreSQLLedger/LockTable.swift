import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

/// How many locks the server can hold, and how many of them one statement takes that looks through all partitions
/// (PostgreSQL 15, 20.12 Lock Management). When all are taken, statements fail.
package struct LockTable: Hashable, Sendable {
    /// The tables and indexes of all partitions of the invoices.
    package let each: Int
    /// How many locks there are: `max_locks_per_transaction` for each connection that the server allows.
    package let capacity: Int
    /// How many connections the server allows.
    package let connections: Int

    package init(each: Int, capacity: Int, connections: Int) {
        self.each = each
        self.capacity = capacity
        self.connections = connections
    }

    /// What `max_locks_per_transaction` must be at least for so many statements at once; nil when it is.
    package func needed(for statements: Int) -> Int? {
        let (locks, overflow) = each.multipliedReportingOverflow(by: statements)
        guard overflow || locks > capacity, connections > 0 else { return nil }
        return (overflow ? .max : locks - 1) / connections + 1
    }
}

extension ServerLedger {
    /// The locks of the server, and what the partitions need of them.
    package func lockTable() async throws(LedgerFault) -> LockTable {
        let table = try await first(
            """
            SELECT count(inhrelid) + coalesce(sum((SELECT count(*) FROM pg_index WHERE indrelid = inhrelid)), 0)::bigint,
                current_setting('max_locks_per_transaction')::bigint * connections.count, connections.count
            FROM (
                SELECT current_setting('max_connections')::bigint
                    + current_setting('max_prepared_transactions')::bigint AS count
            ) AS connections LEFT JOIN pg_inherits ON inhparent = 'invoice'::regclass
            GROUP BY connections.count
            """
        ) { row throws(StorageFault) in
            LockTable(
                each: Int(clamping: try row.integer(0)), capacity: Int(clamping: try row.integer(1)),
                connections: Int(clamping: try row.integer(2)))
        }
        guard let table else { throw .corrupt("the settings of the server are gone") }
        return table
    }
}

/// What only one transaction at a time may decide on. A name is locked by whoever gives it to an account or a
/// registration: it may be in neither table, so that there is no row to lock.
enum RegistrationLock {
    case name(AccountID)
    case key(RegistrationID)

    /// The number of an advisory lock. Two locks with the same number only wait for each other.
    fileprivate var number: Int64 {
        let bytes: [UInt8] =
            switch self {
            case .name(let account): Array("name \(account.text)".utf8)
            case .key(let id): Array("key \(id.key.hexadecimal)@\(id.domain)".utf8)
            }
        return Int64(bitPattern: SHA256.hash(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension ServerLedger {
    /// Locks until the transaction ends, in an order that is the same for all, so that nobody waits in a circle. The domain
    /// stays meanwhile.
    static func lock(_ locks: [RegistrationLock], in domain: DomainName) -> Query {
        Query(
            """
            SELECT pg_advisory_xact_lock_shared(hashtextextended('registrations of ' || $1, 0))
            UNION ALL SELECT pg_advisory_xact_lock(number) FROM unnest($2::bigint[]) AS number
            """,
            [.text(domain.text), .integers(Set(locks.map(\.number)).sorted())])
    }

    /// Waits until nobody decides on a registration of a domain, and keeps others from it.
    static func lockRegistrations(in domain: DomainName) -> Query {
        Query(
            "SELECT pg_advisory_xact_lock(hashtextextended('registrations of ' || $1, 0))", [.text(domain.text)])
    }
}
