package import ResponderModel
package import LedgerRecords
import LNURL
import LightningCrypto

extension Session: LedgerConnection {
    package func run(_ sql: String, _ values: [StoredValue]) throws(LedgerFault) {
        add(Query(sql, values))
    }

    package func changes(_ sql: String, _ values: [StoredValue]) throws(LedgerFault) -> Int {
        try run(Query(sql, values)).affected
    }

    package func rows<Element>(
        _ sql: String, _ values: [StoredValue], _ read: (Row) throws(LedgerFault) -> Element
    ) throws(LedgerFault) -> [Element] {
        try run(Query(sql, values)).rows(read)
    }

    package func lock(_ lock: LedgerLock) {
        for query in lock.queries { add(query) }
    }

    package func tellOfAccounts() {
        add(Query("SELECT pg_notify('\(ServerLedger.revisionChannel)', '')"))
    }

    package func put(_ registration: Registration, in domain: Int64) throws(LedgerFault) {
        try run(
            """
            INSERT INTO registration (domain, \(Registration.others), version)
            VALUES ($1, $2, $3, $4, $5, $6, $7, nextval('registration_version'))
            ON CONFLICT (domain, public_key) DO UPDATE SET \(Registration.replacement)
            """, [.integer(domain)] + registration.values())
    }

    package func pruneOwnTables() throws(LedgerFault) {
        try run("DELETE FROM rate WHERE tat < \(ServerLedger.nanoseconds)")
        // Replies that nobody expects any longer: an instance has ended without forgetting them.
        try run("DELETE FROM expected_reply WHERE until < clock_timestamp() - interval '1 minute'")
    }

    /// Does nothing when the claim before it was refused.
    package static let addingInvoice = """
        INSERT INTO invoice (id, payment_hash, account, \(IssuedInvoice.others))
        SELECT
            invoice_id($8) | nextval('invoice_sequence'), $1, \(AccountID.number("$2", "$3")),
            $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
        WHERE coalesce(current_setting('responder.refusal', true), '') = ''
        """

    package static func issued(at second: String) -> String {
        "AND id >= invoice_id(\(second)) AND id < invoice_id(\(second) + 1)"
    }

    package static var now: String { "extract(epoch FROM statement_timestamp())::bigint" }

    package static func indexed(by index: String) -> String { "" }

    package static var skippingLocked: String { " FOR UPDATE SKIP LOCKED" }
}

extension LedgerLock {
    /// They wait for others. A name is locked by whoever gives it to an account or a registration: it may be in neither
    /// table, so that there is no row to lock. The locks are taken in an order that is the same for all, so that nobody
    /// waits in a circle; two with the same number only wait for each other.
    fileprivate var queries: [Query] {
        switch self {
        case .accounts: [Query("SELECT revision FROM accounts_revision FOR UPDATE")]
        case .registration(let id, let name):
            Self.locks(
                ["key \(id.key.hexadecimal)@\(id.domain)"]
                    + (name.map { ["name \(AccountID($0, at: id.domain).text)"] } ?? []),
                in: id.domain)
        case .name(let name): Self.locks(["name \(name.text)"], in: name.domain)
        case .registrations(let domain):
            [Query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text("registrations of \(domain)")])]
        case .ownerOf(let device):
            [
                Query(
                    """
                    SELECT newest FROM device_owner
                    WHERE owner = (SELECT owner FROM device WHERE device_id = $1) FOR UPDATE
                    """, [.blob(device.bytes)])
            ]
        case .device(let id): [Query("SELECT id FROM device WHERE device_id = $1 FOR UPDATE", [.blob(id.bytes)])]
        case .work(let id): [Query("SELECT id FROM outbox_entry WHERE work_id = $1 FOR UPDATE", [.text(id.text)])]
        case .workAbout(let subject, let kind):
            [Query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text("\(kind) \(subject.text)")])]
        }
    }

    /// Locks what has these names. The domain stays meanwhile.
    private static func locks(_ names: [String], in domain: DomainName) -> [Query] {
        let numbers = names.map { name in
            Int64(bitPattern: SHA256.hash(Array(name.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        }
        return [
            Query(
                "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))", [.text("registrations of \(domain)")]),
            Query(
                "SELECT pg_advisory_xact_lock(number) FROM unnest($1::bigint[]) AS number",
                [Value.integers(Set(numbers).sorted())]),
        ]
    }
}
