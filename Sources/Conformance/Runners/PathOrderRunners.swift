import BlindedPaths
import LightningCoding
import LightningCrypto

/// What a node does with an onion message.
struct MessageInstructionRunner: VectorRunner {
    static let standard = "route-blinding"
    static let subject = "message-order"

    func run(_ input: VectorInput) throws -> JSONObject {
        let data = try RecipientData(parsing: input.bytes("data"))
        switch try MessageInstruction(data, isFinal: input.bool("isFinal")) {
        case .forward(let next): return ["next": next.vectorValue]
        case .receive(let pathID): return ["pathID": .hexadecimal(pathID)]
        }
    }

    func rule(of fault: any Error) -> String? {
        (fault as? MessageInstruction.Fault)?.rule ?? (fault as? RecipientDataFault)?.rule
    }
}

/// What a node does with an HTLC.
struct PaymentInstructionRunner: VectorRunner {
    static let standard = "route-blinding"
    static let subject = "payment-order"

    func run(_ input: VectorInput) throws -> JSONObject {
        let data = try RecipientData(parsing: input.bytes("data"))
        let order = try PaymentInstruction(
            data, isFinal: input.bool("isFinal"), amount: Millisatoshi(input.unsigned("amount")),
            expiry: input.number("expiry"))
        switch order {
        case .forward(let next, let amount, let expiry):
            return ["next": next.vectorValue, "amount": .unsigned(amount.msat), "expiry": .unsigned(UInt64(expiry))]
        case .receive(let pathID):
            return ["pathID": .hexadecimal(pathID)]
        }
    }

    func rule(of fault: any Error) -> String? {
        switch fault as? PaymentInstruction.Fault {
        case .expiryTooHigh: "expiry-too-high"
        case .amountTooLow: "amount-too-low"
        case .unknownFeature: "unknown-feature"
        case .twoNextNodes: "two-next-nodes"
        case .noNextNode: "no-next-node"
        case .noPaymentRelay: "no-payment-relay"
        case .amountBelowFee: "amount-below-fee"
        case .expiryBelowDelta: "expiry-below-delta"
        case nil: (fault as? RecipientDataFault)?.rule
        }
    }
}

extension MessageInstruction.Fault {
    /// The name of the rule in vector files.
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

extension VectorInput {
    /// An integer of the given type.
    func number<Number: FixedWidthInteger>(_ name: String) throws(Fault) -> Number {
        guard let number = Number(exactly: try unsigned(name)) else { throw Fault(member: name) }
        return number
    }
}
