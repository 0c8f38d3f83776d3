import Hummingbird
public import Contracts
public import LightningCoding
import ResponderCore

/// Lists the instances of the service on this ledger.
struct InstanceRoutes: Sendable {
    let ledger: any LeaseLedger

    func add(to router: AdminRouter) {
        router.add(.get, "/instances") { _, _ throws(AdminFault) in
            let instances = try await AdminFault.asking(await ledger.instances())
            return ["instances": .array(instances.map(\.json))]
        }
    }
}

extension InstanceStatus {
    /// The instance as the operator sees it.
    public var json: JSONValue {
        [
            "id": .string(record.id.text), "name": .string(record.name.text), "process": .integer(Int(record.process)),
            "version": .string(record.version), "startedAt": .string(record.startedAt.iso8601),
            "seenAt": .string(seenAt.iso8601), "payers": .string("\(record.payers)"),
            "admin": .string("\(record.admin)"), "leases": .array(leases.map { .string($0.text) }),
        ]
    }
}
