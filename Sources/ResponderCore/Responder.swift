import Bolt12
public import LightningCoding
public import LightningCrypto
public import Contracts

/// Answers the question "which invoice shall I pay?", whatever the way by which it came.
///
/// A value over shared parts: copies answer alike. Clock and randomness come from outside.
public struct Responder: Sendable {
    /// What is remembered.
    public let ledger: any Ledger
    /// The accounts that we answer for.
    public let accounts: AccountDirectory
    /// What the operator has decided.
    public let settings: ResponderSettings

    /// Which node each backend has turned out to be.
    public var knownNodes: KnownNodes { nodes.known }

    let nodes: ReceivingNodes
    let issuer: InvoiceIssuer
    let offers: OfferIssuer?
    let requestsInFlight = SingleFlight<AccountRequest, Result<Invoice, RequestRefusal>>()
    let clock: WallClock
    let random: RandomSource

    /// Creates a responder.
    ///
    /// Nothing is asked of the backends yet: a node that is down is refused to payers until it is there.
    ///
    /// - Parameters:
    ///   - offers: makes and recognises BOLT12 offers; without it requests for offers are refused.
    ///   - ageClock: by which answers of nodes become too old.
    ///   - noticeMismatch: is told of every invoice that is not what was ordered, by whatever way that was asked for.
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
