import LightningCoding
import LightningCrypto
import ResponderModel

/// The node (`json/JsonSerializers.kt`, `NodeInfo`).
struct NodeDescription: Sendable {
    let info: NodeInfo
    /// What the channels can receive now, after reserves and fees (computed by the node).
    let receivable: Millisatoshi

    init(_ answer: NodeAnswer) throws(BackendFault) {
        var sum: UInt64 = 0
        for channel in try answer.elements("channels") {
            // Others are opening, closing, or without their peer.
            guard try channel.text("state").isExactly("Normal"), channel.has("inboundLiquiditySat") else { continue }
            sum = min(sum + (try channel.satoshi("inboundLiquiditySat").msat), Millisatoshi.maximum.msat)
        }
        receivable = Millisatoshi(sum)
        // Missing until the node has chain data.
        let height = answer.has("blockHeight") ? try answer.lenientNumber("blockHeight") : nil
        info = NodeInfo(
            nodeID: try answer.parsed("nodeId") { try PublicKey(hexadecimal: $0) },
            network: try Self.network(answer),
            blockHeight: UInt32(clamping: height ?? 0),
            isSynchronized: height != nil,
            isPublic: false,
            version: "phoenixd " + BackendFault.words(try answer.text("version"))
        )
    }

    /// The name of lightning-kmp's chain in lower case (`Api.kt`, `getinfo`).
    private static func network(_ answer: NodeAnswer) throws(BackendFault) -> Network {
        let name = try answer.text("chain")
        switch ExactText(name) {
        case "mainnet": return .bitcoin
        case "testnet", "testnet3": return .testnet
        case "signet": return .signet
        case "regtest": return .regtest
        default: throw .malformedAnswer("an unknown network: \(BackendFault.words(name))")
        }
    }
}
