import BlindedPaths
import LightningCoding
import LightningCrypto

/// Builds a path for onion messages.
struct MessagePathRunner: VectorRunner {
    static let standard = "route-blinding"
    static let subject = "message-path"

    func run(_ input: VectorInput) throws -> JSONObject {
        let relays = try input.objects("relays").map { relay in
            MessagePath.Relay(
                nodeID: try relay.publicKey("nodeID"),
                outgoingChannel: relay.has("outgoingChannel")
                    ? ShortChannelID(try relay.unsigned("outgoingChannel")) : nil)
        }
        let route = try MessagePath.route(
            to: input.publicKey("recipient"), through: relays,
            pathID: input.has("pathID") ? SecretBytes(input.bytes("pathID")) : nil,
            dummyHops: input.number("dummyHops"), isPadded: input.bool("isPadded"))
        let path = try route.blinded(secret: SecretKey(input.bytes("secret")))
        return ["path": .string(Hexadecimal.encode(path.bytes))]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? BlindedPathFault)?.rule
    }
}

/// Builds a path for payments.
struct PaymentPathRunner: VectorRunner {
    static let standard = "route-blinding"
    static let subject = "payment-path"

    func run(_ input: VectorInput) throws -> JSONObject {
        let destination = PaymentPath.Destination(
            nodeID: try input.publicKey("recipient"), pathID: SecretBytes(try input.bytes("pathID")),
            expiryHeight: try input.number("expiryHeight"),
            minFinalCLTVExpiryDelta: try input.number("minFinalCLTVExpiryDelta"),
            htlcMinimum: Millisatoshi(try input.unsigned("htlcMinimum")),
            htlcMaximum: Millisatoshi(try input.unsigned("htlcMaximum")))
        let made = try PaymentPath(
            to: destination, through: input.objects("relays").map(relay),
            secret: SecretKey(input.bytes("secret")), isPadded: input.bool("isPadded"))
        var values = made.payinfo.vectorValues
        values["path"] = .string(Hexadecimal.encode(made.path.bytes))
        return values
    }

    private func relay(_ input: VectorInput) throws -> PaymentPath.Relay {
        PaymentPath.Relay(
            nodeID: try input.publicKey("nodeID"),
            next: input.has("shortChannelID")
                ? .channel(ShortChannelID(try input.unsigned("shortChannelID")))
                : .node(try input.publicKey("nextNodeID")),
            terms: PaymentRelay(
                cltvExpiryDelta: try input.number("cltvExpiryDelta"),
                feeProportionalMillionths: try input.number("feeProportionalMillionths"),
                feeBase: try input.number("feeBase")),
            htlcMinimum: Millisatoshi(try input.unsigned("htlcMinimum")),
            htlcMaximum: Millisatoshi(try input.unsigned("htlcMaximum")))
    }

    func rule(of fault: any Error) -> String? {
        switch fault as? PaymentPathFault {
        case .feeTooLarge: "fee-too-large"
        case .cltvExpiryDeltaTooLarge: "cltv-expiry-delta-too-large"
        case .maxCLTVExpiryTooLarge: "max-cltv-expiry-too-large"
        case .maximumBelowMinimum: "maximum-below-minimum"
        case .path(let fault): fault.rule
        case nil: nil
        }
    }
}
