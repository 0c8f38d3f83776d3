import LNURL
import LightningCoding
package import Contracts

extension InstanceRecord {
    /// The columns of `instance` in the order of `init(_:)` and `values`.
    package static let columns =
        "instance_id, name, process, version, started_at, payers, admin, keys, public_url, tells_settlements"

    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        [
            .text(id.text), .text(name.text), .integer(Int64(process)), .text(version), try .time(startedAt),
            .text("\(payers)"), .text("\(admin)"), .blob(keys.bytes), .optionalText(publicURL?.text),
            .integer(tellsSettlementsOfAll ? 1 : 0),
        ]
    }

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            id: try row.text(0) { InstanceID($0) }, name: try row.text(1) { InstanceName($0) },
            process: Int32(clamping: try row.integer(2)), version: try row.text(3), startedAt: try row.time(4),
            payers: try row.text(5) { try ListenAddress($0) }, admin: try row.text(6) { try ListenAddress($0) },
            publicURL: row.isNull(8) ? nil : try row.text(8) { try PublicURL($0) },
            keys: try row.blob(7) { KeysFingerprint($0) }, tellsSettlementsOfAll: try row.integer(9) != 0)
    }
}
