package import ResponderModel
package import LightningCoding

package struct CoreLightningConfiguration: Hashable, Sendable {
    package enum Transport: Hashable, Sendable {
        /// lightningd's JSON-RPC socket, a path such as `~/.lightning/bitcoin/lightning-rpc` with the `~` expanded.
        /// Access to the file gives full control of the node.
        case socket(path: String)
        /// The node's REST interface (clnrest): `https://localhost:3010`. For plain `http` see `NodeURL`.
        ///
        /// - `runePath`: a file with a rune that allows our commands, as returned by `lightning-cli createrune`.
        /// - `certificatePath`: a PEM file with the authority that signed its certificate (clnrest writes `ca.pem`), or
        ///   with the certificate itself when it is self-signed; nil for the system's authorities.
        case rest(url: HTTPURL, runePath: String, certificatePath: String?)
    }

    package var transport: Transport
    /// Whether each account has an offer that the node makes and answers itself; else the offers are ours, and their
    /// invoices are built here from the node's BOLT11 invoices.
    package var usesOwnOffers: Bool
    package var limits: CallLimits

    package init(transport: Transport, usesOwnOffers: Bool = false, limits: CallLimits = CallLimits()) {
        self.transport = transport
        self.usesOwnOffers = usesOwnOffers
        self.limits = limits
    }
}
