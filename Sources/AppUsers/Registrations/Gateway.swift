import Bolt11
package import LightningCoding
package import LightningCrypto
package import ResponderCore
package import ResponderModel

/// Registrations of app users, and the replies of their devices.
package struct Gateway: Sendable {
    package let channel: ReplyChannel
    package let ledger: any RegistrationLedger
    package let accounts: AccountDirectory
    /// The rules of every domain; each domain adds the names that it reserves.
    package let rules: RegistrationRules
    package let retention: RegistrationRetention
    package let policy: ReplyPolicy
    /// Derives the webhook secrets of names.
    package let secrets: WebhookSecrets

    package init(
        channel: ReplyChannel, ledger: any RegistrationLedger, accounts: AccountDirectory, rules: RegistrationRules,
        retention: RegistrationRetention, policy: ReplyPolicy, secrets: WebhookSecrets
    ) {
        self.channel = channel
        self.ledger = ledger
        self.accounts = accounts
        self.rules = rules
        self.retention = retention
        self.policy = policy
        self.secrets = secrets
    }

    /// The rules of a domain. A name whose own host is another domain's is reserved.
    package func rules(of domain: Domain) async throws(LedgerFault) -> RegistrationRules {
        var rules = rules
        rules.reserved.formUnion(domain.settings.reserved)
        rules.reserved.formUnion(try await accounts.domains().namesAtOtherHosts(of: domain))
        return rules
    }

    /// The webhook that a wallet names, if questions may be posted there.
    package func webhook(_ text: String) throws(WebhookURLFault) -> WebhookURL {
        let webhook = try rethrowing(WebhookURL(text), as: WebhookURLFault.url)
        _ = try rethrowing(policy.url(text), as: WebhookURLFault.forbidden)
        return webhook
    }

    /// The endpoint for push messages, which takes what is posted to webhooks.
    package static let pushPath = "/api/v1/notify"

    /// Whether a webhook is elsewhere, or the endpoint for push messages: at other routes of ours, questions would come back
    /// as those of payers.
    package func maySend(to webhook: WebhookURL) async throws(LedgerFault) -> Bool {
        if webhook.url.path.isExactly(Self.pushPath) { return true }
        return try await !accounts.domains().isOwnHost(of: webhook.url)
    }
}

/// Why questions are not posted to a webhook.
package enum WebhookURLFault: Error, Hashable, Sendable {
    /// It is not a URL.
    case url(URLFault)
    /// The policy does not allow it: plain http, a private address, another port or host.
    case forbidden
    case own

    package var reason: String {
        switch self {
        case .url(let fault): fault.reason
        case .forbidden: "it must be https, at a public host that is allowed here"
        case .own: "it is this service's own"
        }
    }
}

/// Is told of a payment that a device has received: whose, the payment hash, and how much. Called again for the same payment
/// when it could not be kept.
package typealias DevicePaymentReport = @Sendable (RegistrationID, PaymentHash, Millisatoshi?) async -> Void

extension RegistrationLedger {
    /// Reports a payment that a device proves, and then keeps it: whoever asks again is told without waking the device.
    /// Killed in between, it is reported again.
    package func keep(
        _ paid: PaidInvoice, of id: RegistrationID, at now: UnixTime, reporting report: DevicePaymentReport
    ) async {
        await report(id, paid.paymentHash, (try? UnverifiedBolt11Invoice(paid.bolt11).verified())?.amount)
        // The answer is right even if it cannot be kept.
        try? await keep(paid, of: id, at: now)
    }
}
