package import LightningCoding
package import ResponderModel

package struct LNDConfiguration: Hashable, Sendable {
    /// The URL of its REST interface: `https://localhost:8080`. For plain `http` (`no-rest-tls`) see `NodeURL`.
    package var url: HTTPURL
    /// The file with the macaroon that allows our calls, in binary as LND writes it or in hexadecimal. `lncli
    /// bakemacaroon --save_to FILE invoices:read invoices:write info:read offchain:read` makes one.
    package var macaroonPath: String
    /// LND's own certificate (`tls.cert`), whose key is then the only one accepted; nil trusts the system's
    /// authorities.
    package var certificatePath: String?
    /// Whether offers are answered with BOLT12 invoices that are built here from LND's BOLT11 invoices: LND looks up
    /// the path id of a blinded payment as the payment address (`invoices/update.go`). Such payments from Core
    /// Lightning v26.06 and from LND were received by v0.19.3; v0.18.3 is the first that accepts any.
    package var answersOffers: Bool
    package var limits: CallLimits

    package init(
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
