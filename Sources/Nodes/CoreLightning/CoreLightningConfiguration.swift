package import LightningCoding

package struct CoreLightningConfiguration: Sendable {
    package enum Transport: Sendable {
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

    package enum Offers: Sendable {
        /// Our offers; their invoices are built here from the node's BOLT11 invoices.
        case builtHere
        /// The node's own offers, which it answers itself: one per account.
        case ownOffers
    }

    package var transport: Transport
    package var offers: Offers
    package var limits: CommandLimits

    package init(transport: Transport, offers: Offers = .builtHere, limits: CommandLimits = CommandLimits()) {
        self.transport = transport
        self.offers = offers
        self.limits = limits
    }
}
