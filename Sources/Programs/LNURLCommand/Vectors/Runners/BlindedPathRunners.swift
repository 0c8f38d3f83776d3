import BlindedPaths
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let blindedPaths = [
        // Parses a blinded path and encodes it again.
        VectorRunner("route-blinding", "path") { input in
            let path = try BlindedPath(input.bytes("path"))
            return [
                "introduction": path.introductionNode.vectorValue,
                "firstPathKey": .string(path.firstPathKey.hexadecimal),
                "hops": .array(path.hops.map(\.vectorValue)),
                "path": .string(Hexadecimal.encode(path.bytes)),
            ]
        },
        // Parses a payinfo and encodes it again.
        VectorRunner("route-blinding", "payinfo") { input in
            try BlindedPayinfo(input.bytes("payinfo")).vectorValues
        },
        // Blinds a route with given data.
        VectorRunner("route-blinding", "blind") { input in
            let nodes = try input.elements("nodes").map { node in
                BlindedRoute.Node(
                    nodeID: try node.publicKey("nodeID"), data: try RecipientData(parsing: node.bytes("data")))
            }
            let path = try BlindedRoute(nodes).blinded(
                secret: SecretKey(input.bytes("secret")), introduction: input.introduction())
            return ["path": .string(Hexadecimal.encode(path.bytes))]
        },
        // Decrypts the data for a node.
        VectorRunner("route-blinding", "unblind") { input in
            let key = try SecretKey(input.bytes("nodeKey"))
            let secret = try HopSecret(pathKey: input.publicKey("pathKey"), nodeKey: key)
            let data = try secret.open(input.bytes("encryptedRecipientData"))
            return [
                "blindedKey": .string(try secret.blindedKey(of: key).withBytes { Hexadecimal.encode($0) }),
                "data": .string(Hexadecimal.encode(try data.encoded())),
                "nextPathKey": .string(try secret.nextPathKey(data).hexadecimal),
            ]
        },
    ]
}

extension IntroductionNode {
    fileprivate var vectorValue: JSONValue {
        switch self {
        case .node(let nodeID): ["nodeID": .string(nodeID.hexadecimal)]
        case .channel(let channel, let direction):
            ["shortChannelID": .unsigned(channel.value), "direction": .unsigned(UInt64(direction.rawValue))]
        }
    }
}

extension BlindedPath.Hop {
    fileprivate var vectorValue: JSONValue {
        [
            "blindedNodeID": .string(blindedNodeID.hexadecimal),
            "encryptedRecipientData": .string(Hexadecimal.encode(encryptedRecipientData)),
        ]
    }
}

extension BlindedPayinfo {
    /// The values and the bytes.
    var vectorValues: JSONObject {
        [
            "feeBase": .unsigned(UInt64(feeBase)),
            "feeProportionalMillionths": .unsigned(UInt64(feeProportionalMillionths)),
            "cltvExpiryDelta": .unsigned(UInt64(cltvExpiryDelta)),
            "htlcMinimum": .unsigned(htlcMinimum.msat),
            "htlcMaximum": .unsigned(htlcMaximum.msat),
            "features": .string(Hexadecimal.encode(features)),
            "payinfo": .string(Hexadecimal.encode(bytes)),
        ]
    }
}

extension VectorInput {
    /// The introduction node, read as the start of a path.
    fileprivate func introduction() throws -> IntroductionNode? {
        guard has("introduction") else { return nil }
        var reader = ByteReader(try bytes("introduction"))
        return try IntroductionNode(from: &reader)
    }

    /// A public key, written as 33 bytes.
    func publicKey(_ name: String) throws -> PublicKey {
        try rethrowing(PublicKey(bytes(name)), as: InputFault(member: name))
    }
}
