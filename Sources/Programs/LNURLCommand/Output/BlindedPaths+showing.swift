import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

extension BlindedPath {
    var json: JSONObject {
        [
            "introductionNode": introductionNode.json, "firstPathKey": .string(firstPathKey.hexadecimal),
            "hops": .array(hops.map(\.json)),
        ]
    }

    func add(to page: inout Page, label: String, costs: BlindedPayinfo? = nil) {
        page.add(label, "from \(introductionNode.text), path key \(firstPathKey.hexadecimal)")
        page.add("  costs", costs?.text)
        for (index, hop) in hops.enumerated() {
            let data = hop.encryptedRecipientData.count
            page.add("  hop \(index + 1)", "\(hop.blindedNodeID.hexadecimal), \(data) bytes for it")
        }
    }
}

extension BlindedPath.Hop {
    var json: JSONValue {
        [
            "blindedNodeID": .string(blindedNodeID.hexadecimal),
            "encryptedRecipientData": .hexadecimal(encryptedRecipientData),
        ]
    }
}

extension [BlindedPath] {
    var json: JSONValue { .array(map { .object($0.json) }) }

    func add(to page: inout Page) {
        for (index, path) in enumerated() { path.add(to: &page, label: "path \(index + 1)") }
    }
}

extension IntroductionNode {
    fileprivate var json: JSONValue {
        switch self {
        case .node(let nodeID):
            ["nodeID": .string(nodeID.hexadecimal), "shortChannelID": .null, "direction": .null]
        case .channel(let channel, let direction):
            [
                "nodeID": .null, "shortChannelID": .string(channel.description),
                "direction": .integer(Int(direction.rawValue)),
            ]
        }
    }

    fileprivate var text: String {
        switch self {
        case .node(let nodeID): "node \(nodeID.hexadecimal)"
        case .channel(let channel, .node1): "node 1 of channel \(channel)"
        case .channel(let channel, .node2): "node 2 of channel \(channel)"
        }
    }
}

extension BlindedPayinfo {
    var json: JSONObject {
        [
            "feeBase": .unsigned(UInt64(feeBase)),
            "feeProportionalMillionths": .unsigned(UInt64(feeProportionalMillionths)),
            "cltvExpiryDelta": .unsigned(UInt64(cltvExpiryDelta)), "htlcMinimum": .unsigned(htlcMinimum.msat),
            "htlcMaximum": .unsigned(htlcMaximum.msat), "features": FeatureBits(bytes: features).json,
        ]
    }

    fileprivate var text: String {
        let bits = FeatureBits(bytes: features).names
        return "\(feeBase) msat + \(feeProportionalMillionths) ppm, \(cltvExpiryDelta) blocks, "
            + "\(htlcMinimum.formatted) to \(htlcMaximum.formatted)" + (bits.isEmpty ? "" : ", features: \(bits)")
    }
}
