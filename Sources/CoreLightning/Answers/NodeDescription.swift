import LightningCoding
import LightningCrypto

/// What `getinfo` says.
struct NodeDescription: Hashable, Sendable {
    let nodeID: PublicKey
    let network: Network
    let blockHeight: UInt32
    /// Whether neither bitcoind nor lightningd is behind.
    let isSynchronised: Bool
    let alias: String?
    let version: String?

    init(_ answer: JSONValue) throws(CommandFault) {
        let reader = AnswerReader(answer)
        nodeID = try reader.parsed("id") { try PublicKey(hexadecimal: $0) }
        let name = try reader.text("network")
        guard let network = Network(lightningdName: name) else { throw .malformed("network") }
        self.network = network
        guard let height = UInt32(exactly: try reader.number("blockheight")) else { throw .malformed("blockheight") }
        blockHeight = height
        isSynchronised = !reader.has("warning_bitcoind_sync") && !reader.has("warning_lightningd_sync")
        alias = answer["alias"]?.string
        version = answer["version"]?.string
    }
}

extension Network {
    /// A network by lightningd's name for it: those of `--network`.
    init?(lightningdName name: String) {
        switch name {
        case "bitcoin": self = .bitcoin
        case "testnet": self = .testnet
        case "signet": self = .signet
        case "regtest": self = .regtest
        default: return nil
        }
    }
}
