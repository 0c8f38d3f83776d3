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

extension NextNode {
    var vectorValue: JSONValue {
        switch self {
        case .node(let nodeID): ["nodeID": .string(nodeID.hexadecimal)]
        case .channel(let channel): ["shortChannelID": .unsigned(channel.value)]
        }
    }
}
