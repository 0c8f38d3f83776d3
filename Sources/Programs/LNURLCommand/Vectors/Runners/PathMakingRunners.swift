import BlindedPaths
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let pathMaking = [
        // Builds a path for onion messages.
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
            return ["path": .string(Hexadecimal.encode(path.bytes))]
        },
        // Builds a path for payments.
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
            values["path"] = .string(Hexadecimal.encode(made.path.bytes))
            return values
        },
    ]
}

extension VectorInput {
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
