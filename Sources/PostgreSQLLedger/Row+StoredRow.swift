import LedgerRecords
package import PostgreSQLStorage

extension Row: StoredRow {
    package typealias Fault = StorageFault
}

extension Value: StoredValue {
    package typealias Fault = StorageFault
}

extension StorageFault: DamageFault {
    /// What is wrong with a row.
    package var damage: String { if case .corrupt(let text) = self { text } else { reason } }
}
