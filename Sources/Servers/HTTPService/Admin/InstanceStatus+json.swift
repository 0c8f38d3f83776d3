package import LightningCoding
package import ResponderModel

extension InstanceStatus {
    package var json: JSONValue {
        [
            "id": .string(record.id.text), "name": .string(record.name.text), "process": .integer(Int(record.process)),
            "version": .string(record.version), "startedAt": .string(record.startedAt.iso8601),
            "seenAt": .string(seenAt.iso8601), "payers": .string("\(record.payers)"),
            "admin": .string("\(record.admin)"), "leases": .array(leases.map { .string($0.text) }),
        ]
    }
}
