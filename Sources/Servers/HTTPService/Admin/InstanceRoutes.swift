import Hummingbird
package import LightningCoding
package import LightningCrypto
import ResponderCore
package import ResponderModel

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
    package var json: JSONValue {
        [
            "id": .string(record.id.text), "name": .string(record.name.text), "process": .integer(Int(record.process)),
            "version": .string(record.version), "startedAt": .string(record.startedAt.iso8601),
            "seenAt": .string(seenAt.iso8601), "payers": .string("\(record.payers)"),
            "admin": .string("\(record.admin)"), "leases": .array(leases.map { .string($0.text) }),
        ]
    }
}

struct PeerRoutes: Sendable {
    let peers: PeerReporter?

    func add(to router: AdminRouter) {
        router.add(.get, "/peers") { _, _ throws(AdminFault) in
            [
                "configured": .bool(peers != nil),
                "introductions": .array(((peers?.introductions() ?? nil) ?? []).map { .string($0.hexadecimal) }),
                "peers": .array(peers?.connections() ?? []),
            ]
        }
    }
}

package struct PeerReporter: Sendable {
    /// The nodes to stay connected to: paths of new offers begin there.
    package var wanted: [PublicKey]
    /// Those of them through which requests can reach us now; nil while another instance is the peer.
    package var introductions: @Sendable () -> [PublicKey]?
    package var connections: @Sendable () -> [JSONValue]

    package init(
        wanted: [PublicKey],
        introductions: @escaping @Sendable () -> [PublicKey]?,
        connections: @escaping @Sendable () -> [JSONValue]
    ) {
        self.wanted = wanted
        self.introductions = introductions
        self.connections = connections
    }
}
