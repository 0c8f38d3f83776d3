import LNURL
import LightningCoding
package import ResponderModel

extension InstanceRecord {
    /// The columns of `instance` in the order of `init(_:)` and `values`.
    package static let columns =
        "instance_id, name, process, version, started_at, payers, admin, keys, public_url, tells_settlements"

    package func values() throws(LedgerFault) -> [StoredValue] {
        [
            .text(id.text), .text(name.text), .integer(Int64(process)), .text(version), try .time(startedAt),
            .text("\(payers)"), .text("\(admin)"), .blob(keys.bytes), .optionalText(publicURL?.text),
            .integer(tellsSettlementsOfAll ? 1 : 0),
        ]
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            id: try row.text("instance_id") { InstanceID($0) }, name: try row.text("name") { InstanceName($0) },
            process: Int32(clamping: try row.integer("process")), version: try row.text("version"),
            startedAt: try row.time("started_at"),
            payers: try row.text("payers") { try ListenAddress($0) },
            admin: try row.text("admin") { try ListenAddress($0) },
            publicURL: try row.optionalText("public_url") { try PublicURL($0) },
            keys: try row.blob("keys") { KeysFingerprint($0) },
            tellsSettlementsOfAll: try row.integer("tells_settlements") != 0)
    }
}
