import BlindedPaths
import LightningCrypto
import Platform
import OnionMessages

/// Nodes of the tests, by their keys: 41…41 to 44…44.
enum Node: UInt8, CaseIterable {
    case alice = 0x41
    case bob, carol, dave

    var key: SecretKey {
        get throws { try SecretKey(filled(rawValue)) }
    }

    var id: PublicKey {
        get throws { try key.publicKey }
    }
}

/// `count` times the same byte.
func filled(_ byte: UInt8, count: Int = 32) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
}

/// A path to a node through others.
func path(
    to end: Node, through relays: Node..., pathID: SecretBytes? = SecretBytes([7]), dummyHops: UInt8 = 0,
    secret: UInt8 = 1
) throws -> BlindedPath {
    try MessagePath.route(
        to: end.id, through: relays.map { MessagePath.Relay(nodeID: try $0.id) }, pathID: pathID, dummyHops: dummyHops
    ).blinded(secret: SecretKey(filled(secret)))
}

/// Sends a message from node to node until it arrives, and says by which ones it came.
func deliver(_ message: OnionMessage, to first: Node) throws -> (ReceivedMessage, way: [Node]) {
    var (message, way) = (message, [first])
    while let node = way.last {
        switch try message.peeled(by: node.key) {
        case .received(let received): return (received, way)
        case .forward(let next, .node(let id)):
            message = next
            guard let following = try Node.allCases.first(where: { try $0.id == id }) else { throw NoSuchNode() }
            way.append(following)
        case .forward: throw NoSuchNode()
        }
    }
    throw NoSuchNode()
}

struct NoSuchNode: Error {}

/// Random bytes that are none, each time others.
func counting(from start: UInt8 = 1) -> RandomSource {
    let drawn = Guarded(start)
    return { count throws(CryptoFault) in
        drawn.withLock { byte in
            defer { byte += 1 }
            return filled(byte, count: count)
        }
    }
}
