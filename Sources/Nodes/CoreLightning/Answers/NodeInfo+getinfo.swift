import LightningCoding
import LightningCrypto
import ResponderModel

extension NodeInfo {
    /// Reads the response to `getinfo`, which tells nothing of channels.
    init(getinfo answer: NodeAnswer) throws(BackendFault) {
        self.init(
            nodeID: try answer.parsed("id") { try PublicKey(hexadecimal: $0) },
            // lightningd's names are those of BOLT 11.
            network: try answer.parsed("network") { Network(exactly: $0) },
            blockHeight: try answer.number("blockheight"),
            // Both bitcoind and lightningd.
            isSynchronized: !answer.has("warning_bitcoind_sync") && !answer.has("warning_lightningd_sync"),
            alias: try? answer.text("alias"),
            version: try? answer.text("version"))
    }
}
