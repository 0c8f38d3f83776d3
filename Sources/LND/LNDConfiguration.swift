public import LightningCoding
public import NodeHTTP

/// How an LND node is reached and used.
public struct LNDConfiguration: Sendable {
    /// Where its REST interface listens: `https://localhost:8080`. Plain `http` (`no-rest-tls`) as `NodeURL` says.
    public var url: HTTPURL
    /// The file with the macaroon that allows our calls: as LND writes it, in bytes, or in hexadecimal digits.
    /// `lncli bakemacaroon --save_to FILE invoices:read invoices:write info:read offchain:read` makes one.
    public var macaroonPath: String
    /// LND's own certificate (`tls.cert`), whose key is the only one that is then accepted; nil trusts the system's authorities.
    public var certificatePath: String?
    /// Whether offers are answered with BOLT12 invoices that are built here of LND's BOLT11 invoices: LND looks the path id of a
    /// blinded payment up as the payment address (`invoices/update.go`). Such payments by Core Lightning v26.06 and by LND were
    /// seen to arrive at v0.19.3; v0.18.3 is the first that takes any.
    public var answersOffers: Bool
    /// What the node may cost.
    public var limits: CallLimits

    /// Creates a configuration.
    public init(
        url: HTTPURL, macaroonPath: String, certificatePath: String? = nil, answersOffers: Bool = false,
        limits: CallLimits = CallLimits()
    ) {
        self.url = url
        self.macaroonPath = macaroonPath
        self.certificatePath = certificatePath
        self.answersOffers = answersOffers
        self.limits = limits
    }
}
