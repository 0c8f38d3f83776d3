import LightningCoding
import LightningCrypto
import ResponderModel

/// The response to `getinfo`.
struct NodeDescription: Hashable, Sendable {
    let nodeID: PublicKey
    let network: Network
    let blockHeight: UInt32
    /// Whether both bitcoind and lightningd are synced.
    let isSynchronized: Bool
    let alias: String?
    let version: String?

    init(_ answer: NodeAnswer) throws(BackendFault) {
        nodeID = try answer.parsed("id") { try PublicKey(hexadecimal: $0) }
        let name = try answer.text("network")
        guard let network = Network(lightningdName: name) else { throw answer.fault("network") }
        self.network = network
        guard let height = UInt32(exactly: try answer.unsigned("blockheight")) else {
            throw answer.fault("blockheight")
        }
        blockHeight = height
        isSynchronized = !answer.has("warning_bitcoind_sync") && !answer.has("warning_lightningd_sync")
        alias = try? answer.text("alias")
        version = try? answer.text("version")
    }
}

extension Network {
    /// A network by lightningd's name for it, as in `--network`.
    init?(lightningdName name: String) {
        switch ExactText(name) {
        case "bitcoin": self = .bitcoin
        case "testnet": self = .testnet
        case "signet": self = .signet
        case "regtest": self = .regtest
        default: return nil
        }
    }
}
