import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

extension VectorInput {
    func chains() throws(InputFault) -> Set<ChainHash> {
        var chains: Set<ChainHash> = []
        for name in try array("chains") {
            guard let network = name.string.flatMap(Network.init(rawValue:)) else { throw fault("chains") }
            chains.insert(ChainHash(network))
        }
        return chains
    }

    /// An index; nil for `null`.
    func optionalIndex(_ name: String) throws(InputFault) -> Int? {
        try optionalUnsigned(name).map { Int(clamping: $0) }
    }

    /// How an invoice request arrived, and what the issuer supports.
    func requestReception() throws(InputFault) -> RequestReception {
        guard let rates = try value("rates").object else { throw fault("rates") }
        let arrival: Arrival =
            switch (try text("arrival"), try optionalIndex("path")) {
            case ("path", let index?): .viaPath(index)
            case ("direct", nil): .direct
            case ("forwarder", nil): .forwarder
            default: throw fault("arrival")
            }
        return RequestReception(
            arrival: arrival, now: UnixTime(try unsigned("now")), chains: try chains(),
            converter: { amount, currency in
                guard let rate = rates[currency]?.uint64 else { return nil }
                return try? Millisatoshi(rate).multiplied(by: amount)
            })
    }
}

extension BlindedPath {
    var wireValue: JSONValue {
        [
            "introductionNode": .string(introductionNode.wireHexadecimal),
            "firstPathKey": .string(firstPathKey.hexadecimal),
            "hops": .array(
                hops.map { hop in
                    [
                        "blindedNodeID": .string(hop.blindedNodeID.hexadecimal),
                        "encryptedRecipientData": .string(Hexadecimal.encode(hop.encryptedRecipientData)),
                    ]
                }),
        ]
    }
}

extension IntroductionNode {
    /// The bytes in wire format, 9 or 33.
    var wireHexadecimal: String {
        switch self {
        case .node(let nodeID): return nodeID.hexadecimal
        case .channel(let channel, let direction):
            var writer = ByteWriter()
            writer.write(direction.rawValue)
            writer.writeUInt64(channel.value)
            return Hexadecimal.encode(writer.bytes)
        }
    }
}
