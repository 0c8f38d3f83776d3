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

    /// Creates a responder.
    ///
    /// No backend is called yet: payers of a node that is down are refused until it is back.
    ///
    /// - Parameters:
    ///   - ledger: the durable store.
    ///   - backends: the nodes, by the names that accounts use.
    ///   - settings: the operator's settings.
    ///   - offers: creates and recognizes BOLT12 offers; nil refuses requests for offers.
    ///   - clock: the wall clock.
    ///   - ageClock: the clock of cached node responses.
    ///   - random: the source of labels, challenges and keys.
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
