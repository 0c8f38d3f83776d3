package import ResponderModel
package import LedgerRecords

/// A connection to the ledger's file, for one body. One transaction writes at a time, so that nothing need be locked.
package final class FileConnection: LedgerConnection {
    private let connection: Connection
    /// Whether the body has written something, which is undone when it throws.
    private(set) var hasWritten = false

    init(_ connection: Connection) {
        self.connection = connection
    }

    package func run(_ sql: String, _ values: [StoredValue]) throws(LedgerFault) {
        _ = try changes(sql, values)
    }

    package func changes(_ sql: String, _ values: [StoredValue]) throws(LedgerFault) -> Int {
        hasWritten = true
        do {
            return try connection.run(sql, values)
        } catch {
            throw LedgerFault(error)
        }
    }

    package func rows<Element>(
        _ sql: String, _ values: [StoredValue], _ read: (Row) throws(LedgerFault) -> Element
    ) throws(LedgerFault) -> [Element] {
        if !sql.utf8.starts(with: "SELECT".utf8) { hasWritten = true }
        var elements: [Element] = []
        var fault: LedgerFault?
        do throws(StorageFault) {
            try connection.forEach(sql, values) { row in
                do throws(LedgerFault) {
                    elements.append(try read(row))
                    return true
                } catch {
                    fault = error
                    return false
                }
            }
        } catch {
            throw LedgerFault(error)
        }
        if let fault { throw fault }
        return elements
    }

    package func lock(_ lock: LedgerLock) {}

    /// SQLite has no way to notify other processes.
    package func tellOfAccounts() {}

    package func put(_ registration: Registration, in domain: Int64) throws(LedgerFault) {
        try run("UPDATE registration_version SET version = version + 1")
        try run(
            """
            INSERT INTO registration (domain, \(Registration.others), version)
            VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT version FROM registration_version))
            ON CONFLICT (domain, public_key) DO UPDATE SET \(Registration.replacement)
            """, [.integer(domain)] + registration.values())
    }

    package func pruneOwnTables() {}

    package static let addingInvoice = """
        INSERT INTO invoice (payment_hash, account, \(IssuedInvoice.others))
        VALUES (
            $1, \(AccountID.number("$2", "$3")),
            $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
        )
        """

    package static func issued(at second: String) -> String { "" }

    package static var now: String { "CAST(strftime('%s', 'now') AS INTEGER)" }

    package static func indexed(by index: String) -> String { "INDEXED BY \(index)" }

    package static var skippingLocked: String { "" }
}

extension Row: StoredRow {
    package static func fault(_ fault: StorageFault) -> LedgerFault { LedgerFault(fault) }

    /// SQLite has integers for truth values.
    package func boolean(_ column: Int32) throws(StorageFault) -> Bool { try integer(column) != 0 }
}
