package import ResponderModel
package import LedgerRecords

/// One transaction writes at a time, so that nothing need be locked.
extension Connection: LedgerConnection {
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
