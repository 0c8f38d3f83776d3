import BlindedPaths
import LightningCoding
import LightningCrypto

/// Parses a blinded path and encodes it again.
struct BlindedPathReadRunner: VectorRunner {
    static let standard = "route-blinding"
    static let subject = "path"

    func run(_ input: VectorInput) throws -> JSONObject {
        let path = try BlindedPath(input.bytes("path"))
        return [
            "introduction": path.introductionNode.vectorValue,
            "firstPathKey": .string(path.firstPathKey.hexadecimal),
            "hops": .array(path.hops.map(\.vectorValue)),
            "path": .string(Hexadecimal.encode(path.bytes)),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? BlindedPathFault)?.rule
    }
}

/// Parses a payinfo and encodes it again.
struct BlindedPayinfoReadRunner: VectorRunner {
    static let standard = "route-blinding"
    static let subject = "payinfo"

    func run(_ input: VectorInput) throws -> JSONObject {
        try BlindedPayinfo(input.bytes("payinfo")).vectorValues
    }

    func rule(of fault: any Error) -> String? {
        (fault as? BlindedPathFault)?.rule
    }
}

/// Blinds a route with given data.
struct BlindRunner: VectorRunner {
    static let standard = "route-blinding"
    static let subject = "blind"

    func run(_ input: VectorInput) throws -> JSONObject {
        let nodes = try input.objects("nodes").map { node in
            BlindedRoute.Node(
                nodeID: try node.publicKey("nodeID"), data: try RecipientData(parsing: node.bytes("data")))
        }
        let path = try BlindedRoute(nodes).blinded(
            secret: SecretKey(input.bytes("secret")), introduction: introduction(input))
        return ["path": .string(Hexadecimal.encode(path.bytes))]
    }

    /// The introduction node, read as the start of a path.
    private func introduction(_ input: VectorInput) throws -> IntroductionNode? {
        guard input.has("introduction") else { return nil }
        var reader = ByteReader(try input.bytes("introduction"))
        return try IntroductionNode(from: &reader)
    }

    func rule(of fault: any Error) -> String? {
        (fault as? BlindedPathFault)?.rule
    }
}

/// Decrypts the data for a node.
struct UnblindRunner: VectorRunner {
    static let standard = "route-blinding"
    static let subject = "unblind"

    func run(_ input: VectorInput) throws -> JSONObject {
        let key = try SecretKey(input.bytes("nodeKey"))
        let secret = try HopSecret(pathKey: input.publicKey("pathKey"), nodeKey: key)
        let data = try secret.open(input.bytes("encryptedRecipientData"))
        return [
            "blindedKey": .string(try secret.blindedKey(of: key).withBytes { Hexadecimal.encode($0) }),
            "data": .string(Hexadecimal.encode(try data.encoded())),
            "nextPathKey": .string(try secret.nextPathKey(data).hexadecimal),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? RecipientDataFault)?.rule
    }
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
    /// A public key, written as 33 bytes.
    func publicKey(_ name: String) throws -> PublicKey {
        do {
            return try PublicKey(bytes(name))
        } catch {
            throw Fault(member: name)
        }
    }

    /// Objects, each to be used as an input.
    func objects(_ name: String) throws(Fault) -> [VectorInput] {
        guard let values = try value(name).array else { throw Fault(member: name) }
        var objects: [VectorInput] = []
        for value in values {
            guard let object = value.object else { throw Fault(member: name) }
            objects.append(VectorInput(object))
        }
        return objects
    }
}

extension BlindedPathFault {
    /// The name of the rule in vector files; nil for faults of writers only.
    var rule: String? {
        switch self {
        case .spelling(let fault): fault.rule
        case .invalidIntroductionNode: "invalid-introduction-node"
        case .invalidFirstPathKey: "invalid-first-path-key"
        case .noHops: "no-hops"
        case .invalidBlindedNodeID: "invalid-blinded-node-id"
        case .tooManyHops, .recipientDataTooLong, .featuresTooLong, .invalidRecipientData, .unusableSecret: nil
        }
    }
}

extension RecipientDataFault {
    /// The name of the rule in vector files.
    var rule: String {
        switch self {
        case .undecryptable: "undecryptable"
        case .spelling(let fault): fault.rule
        case .unknownEvenType: "unknown-even-type"
        case .invalidValue: "invalid-value"
        }
    }
}
