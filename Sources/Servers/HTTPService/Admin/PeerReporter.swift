import HTTPTypes
package import LightningCoding
package import LightningCrypto

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

extension Administration {
    func addPeers(to router: AdminRouter) {
        router.add(.get, "/peers") { _, _ throws(AdminFault) in
            [
                "configured": .bool(peers != nil),
                "introductions": .array(((peers?.introductions() ?? nil) ?? []).map { .string($0.hexadecimal) }),
                "peers": .array(peers?.connections() ?? []),
            ]
        }
    }
}
