import Bolt12
import LNURL
package import LightningCoding
package import LightningCrypto
package import Platform
package import ResponderModel

package typealias ResponderLedger = DomainLedger & AccountLedger & InvoiceLedger & OfferLedger & SettlementLedger

/// Answers the question "which invoice shall I pay?" over every protocol.
///
/// A value over shared state: copies behave alike. Clock and randomness are injected.
package struct Responder: Sendable {
    package let ledger: any ResponderLedger
    package let accounts: AccountDirectory
    package let settings: ResponderSettings

    package var knownNodes: KnownNodes { nodes.known }
    /// How far the clocks of nodes are from the ledger's.
    package let nodeClocks = NodeClocks()

    let nodes: ReceivingNodes
    let issuer: InvoiceIssuer
    let offers: OfferIssuer?
    let requestsInFlight = SingleFlight<AccountRequest, Result<Bolt12Invoice, RequestRefusal>>()
    let invoicesInFlight = SingleFlight<
        AccountRequest, Result<(invoice: PayInvoice, paymentHash: PaymentHash), Refusal>
    >()
    package let clock: WallClock
    let random: RandomSource
    private var others: Lookup?

    /// Who answers for a recipient without an account; nil for nobody.
    ///
    /// While it throws nobody answers: what was issued here might pay somebody else.
    package typealias Lookup = @Sendable (Recipient) async throws(LedgerFault) -> (any PayResponder)?

    /// No backend is called yet: payers of a node that is down are refused until it is back.
    ///
    /// - Parameters:
    ///   - offers: creates and recognizes BOLT12 offers; nil refuses requests for offers.
    package init(
        ledger: any ResponderLedger,
        backends: [BackendName: any ReceiveBackend],
        settings: ResponderSettings,
        offers: OfferIssuer? = nil,
        clock: @escaping WallClock = { .now() },
        ageClock: MonotonicClock = .system,
        random: @escaping RandomSource = SystemRandom.bytes
    ) {
        self.ledger = ledger
        self.settings = settings
        self.offers = offers
        self.clock = clock
        self.random = random
        accounts = AccountDirectory(ledger: ledger)
        nodes = ReceivingNodes(
            backends, known: KnownNodes(ledger: ledger),
            lifetime: min(settings.limitsLifetime, ResponderSettings.longestLimitsLifetime), clock: ageClock)
        issuer = InvoiceIssuer(
            ledger: ledger, openInvoices: OpenInvoiceGate(maximum: settings.maximumOpenInvoices), clock: clock,
            nodeClocks: nodeClocks)
    }
}

extension Responder {
    /// The same, which has others answer for recipients without an account.
    package func with(others: Lookup?) -> Responder {
        var responder = self
        responder.others = others
        return responder
    }

    /// Looks a recipient up: whoever answers for it. An account goes before whoever has registered its name.
    package func payResponder(for recipient: Recipient) async throws(LedgerFault) -> any PayResponder {
        if let account = try await accountResponder(for: recipient) { return account }
        return try await payResponder(withoutAccount: recipient)
    }

    /// Answers for the account of a recipient, from our own nodes; nil when it has none.
    package func accountResponder(for recipient: Recipient) async throws(LedgerFault) -> (any PayResponder)? {
        guard let name = recipient.account, let account = try await accounts.account(named: name) else { return nil }
        return AccountResponder(responder: self, recipient: recipient, found: account)
    }

    /// Answers for a recipient that has no account: looks for whoever has registered it.
    package func payResponder(withoutAccount recipient: Recipient) async throws(LedgerFault) -> any PayResponder {
        try await others?(recipient) ?? AccountResponder(responder: self, recipient: recipient, found: nil)
    }
}

package struct ResponderSettings: Sendable {
    package var payerDataCommitment: PayerDataCommitment
    /// Seconds for which a node's limits are cached, at most a day. Its id, height and peers are cached for at most 5
    /// seconds.
    package var limitsLifetime: UInt64
    /// The maximum number of open invoices per account, neither paid nor expired; nil means unlimited.
    package var maximumOpenInvoices: UInt64?
    /// The key of the HMAC in every challenge (LUD-18 `k1`).
    package var challengeKey: SecretBytes
    /// Whether to query the node about invoices that are not settled in the ledger: for processes that run without a
    /// settlement follower.
    package var asksNode: Bool

    /// What an invoice with payer data commits to (LUD-18).
    package enum PayerDataCommitment: String, CaseIterable, Sendable {
        /// SHA-256 of the metadata followed by the payer data as received: the older text of LUD-18, which strict wallets
        /// check and lenient ones ignore.
        case metadataAndPayerData = "metadata-and-payer-data"
        /// SHA-256 of the metadata alone.
        case metadata
    }

    static let longestLimitsLifetime: UInt64 = 86_400
    static let nodeLifetime: UInt64 = 5

    package init(
        challengeKey: SecretBytes,
        payerDataCommitment: PayerDataCommitment = .metadataAndPayerData,
        limitsLifetime: UInt64 = 5,
        maximumOpenInvoices: UInt64? = nil,
        asksNode: Bool = false
    ) {
        self.challengeKey = challengeKey
        self.payerDataCommitment = payerDataCommitment
        self.limitsLifetime = limitsLifetime
        self.maximumOpenInvoices = maximumOpenInvoices
        self.asksNode = asksNode
    }
}
