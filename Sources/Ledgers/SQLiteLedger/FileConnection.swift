package import ResponderModel
package import LedgerRecords
import LightningCoding

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
            return try connection.run(sql, values.map(Value.init))
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
            try connection.forEach(sql, values.map(Value.init)) { row in
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

    package static func indexed(by index: String) -> String { "INDEXED BY \(index)" }
}

extension Value {
    fileprivate init(_ value: StoredValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            }
    }
}

extension StoredValue {
    fileprivate init(_ value: Value) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            }
    }
}

extension Row: StoredRow {
    package func isNull(_ column: StaticString) throws(LedgerFault) -> Bool { isNull(try place(of: column)) }

    package func integer(_ column: StaticString) throws(LedgerFault) -> Int64 {
        let place = try place(of: column)
        return try rethrowing(integer(place)) { (fault: StorageFault) in LedgerFault(fault) }
    }

    /// SQLite has integers for truth values.
    package func boolean(_ column: StaticString) throws(LedgerFault) -> Bool { try integer(column) != 0 }

    package func text(_ column: StaticString) throws(LedgerFault) -> String {
        let place = try place(of: column)
        return try rethrowing(text(place)) { (fault: StorageFault) in LedgerFault(fault) }
    }

    package func blob(_ column: StaticString) throws(LedgerFault) -> [UInt8] {
        let place = try place(of: column)
        return try rethrowing(blob(place)) { (fault: StorageFault) in LedgerFault(fault) }
    }

    package func values(_ count: Int) throws(LedgerFault) -> [StoredValue] {
        var values: [StoredValue] = []
        for place in 0..<Int32(count) {
            values.append(
                StoredValue(try rethrowing(value(place)) { (fault: StorageFault) in LedgerFault(fault) }))
        }
        return values
    }

    private func place(of column: StaticString) throws(LedgerFault) -> Int32 {
        guard let place = self.column(named: column) else { throw .corrupt("there is no column \(column)") }
        return place
    }
}
