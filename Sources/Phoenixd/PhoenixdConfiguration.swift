public import LightningCoding
public import NodeHTTP

/// How a phoenixd node is reached and used.
public struct PhoenixdConfiguration: Sendable {
    /// Where it listens: `http://127.0.0.1:9740`. Plain `http` as `NodeURL` says.
    public var url: HTTPURL
    /// The file with the password: `http-password-limited-access` in `phoenix.conf` is enough.
    public var passwordPath: String
    /// The file with what signs the node's webhooks: `webhook-secret` in `phoenix.conf`; nil when it sends none.
    public var webhookSecretPath: String?
    /// The most that can be ordered beyond what the channels hold, in msat: phoenixd then buys liquidity and keeps its price back from
    /// the payment, or keeps a small payment as credit for fees. nil holds orders to what the channels can receive.
    public var maximumWithPurchase: Millisatoshi?
    /// The label of the one order that the node's own offer answers; nil when nobody's offers are the node's. phoenixd does not
    /// tell which offer a payment was for, so that all such payments are one account's.
    public var offerLabel: String?
    /// What the node may cost.
    public var limits: CallLimits

    /// Creates a configuration.
    public init(
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
