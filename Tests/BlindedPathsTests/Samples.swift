import BlindedPaths
import LightningCrypto

/// The nodes of BOLT 4's route blinding vectors: their keys are 41…41 to 45…45.
enum Node: UInt8 {
    case alice = 0x41
    case bob, carol, dave, eve

    var key: SecretKey {
        get throws { try SecretKey(filled(rawValue)) }
    }

    var id: PublicKey {
        get throws { try key.publicKey }
    }

    static func keys(_ nodes: Node...) throws -> [SecretKey] {
        try nodes.map { try $0.key }
    }
}

/// `count` times the same byte.
func filled(_ byte: UInt8, count: Int = 32) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
}

/// Walks a path as its nodes would: what each one reads, from the introduction node on.
func walk(_ path: BlindedPath, keys: [SecretKey]) throws -> [RecipientData] {
    var pathKey = path.firstPathKey
    return try zip(path.hops, keys).map { hop, key in
        let secret = try HopSecret(pathKey: pathKey, nodeKey: key)
        guard try secret.blindedKey(of: key).publicKey == hop.blindedNodeID else { throw NotTheNode() }
        let data = try secret.open(hop.encryptedRecipientData)
        pathKey = try secret.nextPathKey(data)
        return data
    }
}

struct NotTheNode: Error {}
