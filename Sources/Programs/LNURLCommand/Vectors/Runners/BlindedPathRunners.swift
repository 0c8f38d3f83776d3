import BlindedPaths
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let blindedPaths = [
        VectorRunner("route-blinding", "path") { input in
            let path = try BlindedPath(input.bytes("path"))
            var values = path.json
            values["introduction"] = path.introductionNode.vectorValue
            values["path"] = .hexadecimal(path.bytes)
            return values
        },
        VectorRunner("route-blinding", "payinfo") { input in
            try BlindedPayinfo(input.bytes("payinfo")).vectorValues
        },
        VectorRunner("route-blinding", "blind") { input in
            let nodes = try input.elements("nodes").map { node in
                BlindedRoute.Node(
                    nodeID: try node.publicKey("nodeID"), data: try RecipientData(parsing: node.bytes("data")))
            }
            let path = try BlindedRoute(nodes).blinded(
                secret: SecretKey(input.bytes("secret")), introduction: input.introduction())
            return ["path": .hexadecimal(path.bytes)]
        },
        VectorRunner("route-blinding", "unblind") { input in
            let key = try SecretKey(input.bytes("nodeKey"))
            let secret = try HopSecret(pathKey: input.publicKey("pathKey"), nodeKey: key)
            let data = try secret.open(input.bytes("encryptedRecipientData"))
            return [
                "blindedKey": .string(try secret.blindedKey(of: key).withBytes { Hexadecimal.encode($0) }),
                "data": .hexadecimal(try data.encoded()),
                "nextPathKey": .string(try secret.nextPathKey(data).hexadecimal),
            ]
        },
        VectorRunner("route-blinding", "message-path") { input in
            let relays = try input.elements("relays").map { relay in
                MessagePath.Relay(
                    nodeID: try relay.publicKey("nodeID"),
                    outgoingChannel: relay.has("outgoingChannel")
                        ? ShortChannelID(try relay.unsigned("outgoingChannel")) : nil)
            }
            let route = try MessagePath.route(
                to: input.publicKey("recipient"), through: relays,
                pathID: input.has("pathID") ? SecretBytes(input.bytes("pathID")) : nil,
                dummyHops: input.number("dummyHops"), isPadded: input.flag("isPadded"))
            let path = try route.blinded(secret: SecretKey(input.bytes("secret")))
            return ["path": .hexadecimal(path.bytes)]
        },
        VectorRunner("route-blinding", "payment-path") { input in
            let destination = PaymentPath.Destination(
                nodeID: try input.publicKey("recipient"), pathID: SecretBytes(try input.bytes("pathID")),
                expiryHeight: try input.number("expiryHeight"),
                minFinalCLTVExpiryDelta: try input.number("minFinalCLTVExpiryDelta"),
                htlcMinimum: Millisatoshi(try input.unsigned("htlcMinimum")),
                htlcMaximum: Millisatoshi(try input.unsigned("htlcMaximum")))
            let made = try PaymentPath(
                to: destination, through: input.elements("relays").map { try $0.paymentRelay() },
                secret: SecretKey(input.bytes("secret")), isPadded: input.flag("isPadded"))
            var values = made.payinfo.vectorValues
            values["path"] = .hexadecimal(made.path.bytes)
            return values
        },
        VectorRunner("route-blinding", "message-order") { input in
            let data = try RecipientData(parsing: input.bytes("data"))
            switch try MessageInstruction(data, isFinal: input.flag("isFinal")) {
            case .forward(let next): return ["next": next.vectorValue]
            case .receive(let pathID): return ["pathID": .hexadecimal(pathID)]
            }
        },
        VectorRunner("route-blinding", "payment-order") { input in
            let data = try RecipientData(parsing: input.bytes("data"))
            let order = try PaymentInstruction(
                data, isFinal: input.flag("isFinal"), amount: Millisatoshi(input.unsigned("amount")),
                expiry: input.number("expiry"))
            switch order {
            case .forward(let next, let amount, let expiry):
                return [
                    "next": next.vectorValue, "amount": .unsigned(amount.msat), "expiry": .unsigned(UInt64(expiry)),
                ]
            case .receive(let pathID):
                return ["pathID": .hexadecimal(pathID)]
            }
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

extension BlindedPayinfo {
    var vectorValues: JSONObject {
        var values = json
        values["features"] = .hexadecimal(features)
        values["payinfo"] = .hexadecimal(bytes)
        return values
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

    fileprivate func paymentRelay() throws -> PaymentPath.Relay {
        PaymentPath.Relay(
            nodeID: try publicKey("nodeID"),
            next: has("shortChannelID")
                ? .channel(ShortChannelID(try unsigned("shortChannelID")))
                : .node(try publicKey("nextNodeID")),
            terms: PaymentRelay(
                cltvExpiryDelta: try number("cltvExpiryDelta"),
                feeProportionalMillionths: try number("feeProportionalMillionths"),
                feeBase: try number("feeBase")),
            htlcMinimum: Millisatoshi(try unsigned("htlcMinimum")),
            htlcMaximum: Millisatoshi(try unsigned("htlcMaximum")))
    }
}

extension NextNode {
    var vectorValue: JSONValue {
        switch self {
        case .node(let nodeID): ["nodeID": .string(nodeID.hexadecimal)]
        case .channel(let channel): ["shortChannelID": .unsigned(channel.value)]
        }
    }
}
