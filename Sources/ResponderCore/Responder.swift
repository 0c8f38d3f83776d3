public import Platform
import Bolt12
public import LightningCoding
public import LightningCrypto
public import Contracts

/// Answers the question "which invoice shall I pay?" over every protocol.
///
/// A value over shared state: copies behave alike. Clock and randomness are injected.
public struct Responder: Sendable {
    /// The durable store.
    public let ledger: any Ledger
    /// The accounts that we answer for.
    public let accounts: AccountDirectory
    /// The operator's settings.
    public let settings: ResponderSettings

    /// The node ids seen behind each backend.
    public var knownNodes: KnownNodes { nodes.known }

    let nodes: ReceivingNodes
    let issuer: InvoiceIssuer
    let offers: OfferIssuer?
    let requestsInFlight = SingleFlight<AccountRequest, Result<Invoice, RequestRefusal>>()
    package let clock: WallClock
    let random: RandomSource

    /// Creates a responder.
    ///
    /// No backend is called yet: payers of a node that is down are refused until it is back.
    ///
    /// - Parameters:
    ///   - offers: creates and recognises BOLT12 offers; nil refuses requests for offers.
    ///   - ageClock: the clock of cached node responses.
    ///   - noticeMismatch: notified of every invoice that does not match its order, over all protocols.
    public init(
        ledger: any Ledger,
        backends: [BackendName: any ReceiveBackend],
        settings: ResponderSettings,
        offers: OfferIssuer? = nil,
        noticeMismatch: @escaping @Sendable (InvoiceMismatch) -> Void = { _ in },
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
            ledger: ledger, openInvoices: OpenInvoiceGate(maximum: settings.maximumOpenInvoices),
            noticeMismatch: noticeMismatch, clock: clock)
    }
}
