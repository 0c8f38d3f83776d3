import BlindedPaths
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let pathInstructions = [
        // What a node does with an onion message.
        VectorRunner("route-blinding", "message-order") { input in
            let data = try RecipientData(parsing: input.bytes("data"))
            switch try MessageInstruction(data, isFinal: input.flag("isFinal")) {
            case .forward(let next): return ["next": next.vectorValue]
            case .receive(let pathID): return ["pathID": .hexadecimal(pathID)]
            }
        },
        // What a node does with an HTLC.
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

extension PaymentInstruction.Fault {
    var rule: String {
        switch self {
        case .expiryTooHigh: "expiry-too-high"
        case .amountTooLow: "amount-too-low"
        case .unknownFeature: "unknown-feature"
        case .twoNextNodes: "two-next-nodes"
        case .noNextNode: "no-next-node"
        case .noPaymentRelay: "no-payment-relay"
        case .amountBelowFee: "amount-below-fee"
        case .expiryBelowDelta: "expiry-below-delta"
        }
    }
}

extension MessageInstruction.Fault {
    var rule: String {
        switch self {
        case .unknownFeature: "unknown-feature"
        case .pathIDBeforeTheEnd: "path-id-before-the-end"
        case .noNextNode: "no-next-node"
        }
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
