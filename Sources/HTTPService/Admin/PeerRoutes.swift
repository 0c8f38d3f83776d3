import Hummingbird
import LightningCoding
import LightningCrypto

/// Shows the connections of our own Lightning peer.
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
