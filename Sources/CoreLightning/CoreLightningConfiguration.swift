public import LightningCoding

/// How a Core Lightning node is reached and used.
public struct CoreLightningConfiguration: Sendable {
    /// The way to the node.
    public enum Transport: Sendable {
        /// lightningd's JSON-RPC socket, a path such as `~/.lightning/bitcoin/lightning-rpc` with the `~` written out. Who may
        /// open the file may do everything.
        case socket(path: String)
        /// The node's REST interface (clnrest): `https://localhost:3010`. Plain `http` as `NodeURL` says.
        ///
        /// - `runePath`: a file with a rune that allows our commands, as `lightning-cli createrune` names it.
        /// - `certificatePath`: a PEM file with the authority that signed its certificate (clnrest writes `ca.pem`), or with the
        ///   certificate itself when it is signed by itself; nil for the system's authorities.
        case rest(url: HTTPURL, runePath: String, certificatePath: String?)
    }

    /// How the offers of accounts are paid.
    public enum Offers: Sendable {
        /// Our offers; their invoices are built here of the node's BOLT11 invoices.
        case builtHere
        /// The node's own offers, which it answers itself: one for each account.
        case ownOffers
    }

    /// The way to the node.
    public var transport: Transport
    /// How offers are paid.
    public var offers: Offers
    /// What the node may cost.
    public var limits: CommandLimits

    /// Creates a configuration.
    public init(transport: Transport, offers: Offers = .builtHere, limits: CommandLimits = CommandLimits()) {
        self.transport = transport
        self.offers = offers
        self.limits = limits
    }
}
