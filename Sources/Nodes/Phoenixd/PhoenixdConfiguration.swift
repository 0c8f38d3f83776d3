package import LightningCoding
package import ResponderModel

package struct PhoenixdConfiguration: Hashable, Sendable {
    /// Its URL: `http://127.0.0.1:9740`. For plain `http` see `NodeURL`.
    package var url: HTTPURL
    /// The file with the password: `http-password-limited-access` in `phoenix.conf` is enough.
    package var passwordPath: String
    /// The file with the secret that signs the node's webhooks: `webhook-secret` in `phoenix.conf`; nil when it sends
    /// none.
    package var webhookSecretPath: String?
    /// The most that can be ordered beyond what the channels can receive, in msat: phoenixd then buys liquidity and
    /// deducts its price from the payment, or keeps a small payment as fee credit. nil limits orders to what the
    /// channels can receive.
    package var maximumWithPurchase: Millisatoshi?
    /// The label of the one order that the node's own offer serves; nil when it serves none. phoenixd does not report
    /// which offer a payment was for, so all such payments belong to one account.
    package var offerLabel: String?
    package var limits: CallLimits

    package init(
        url: HTTPURL, passwordPath: String, webhookSecretPath: String? = nil,
        maximumWithPurchase: Millisatoshi? = nil, offerLabel: String? = nil, limits: CallLimits = CallLimits()
    ) {
        self.url = url
        self.passwordPath = passwordPath
        self.webhookSecretPath = webhookSecretPath
        self.maximumWithPurchase = maximumWithPurchase
        self.offerLabel = offerLabel
        self.limits = limits
    }
}
