import Bolt12
public import LightningCoding
public import LightningCrypto
public import Receiving

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

    let backends: [BackendName: any ReceiveBackend]
    let networks: [BackendName: Network]
    let limits: BackendCache<ReceiveLimits>
    let nodes: BackendCache<NodeInfo>
    let offers: OfferIssuer?
    let requestsInFlight = SingleFlight<AccountRequest, Result<Invoice, RequestRefusal>>()
    let openInvoices: OpenInvoiceGate
    let clock: WallClock
    let random: RandomSource

    /// Creates a responder.
    ///
    /// Asks each backend for its node once, since an invoice for another chain must be recognised.
    ///
    /// - Parameter offers: makes and recognises BOLT12 offers; without it requests for offers are refused.
    /// - Throws: the first backend's fault, with its name.
    public init(
        ledger: any Ledger,
        backends: [BackendName: any ReceiveBackend],
        settings: ResponderSettings,
        offers: OfferIssuer? = nil,
        clock: @escaping WallClock = { .now() },
        random: @escaping RandomSource = SystemRandom.bytes
    ) async throws(Refusal.Cause) {
        self.ledger = ledger
        self.backends = backends
        self.settings = settings
        self.clock = clock
        self.random = random
        accounts = AccountDirectory(ledger: ledger)
        limits = BackendCache(lifetime: settings.limitsLifetime, clock: clock)
        nodes = BackendCache(lifetime: settings.limitsLifetime, clock: clock)
        self.offers = offers
        openInvoices = OpenInvoiceGate(maximum: settings.maximumOpenInvoices)
        var networks: [BackendName: Network] = [:]
        for (name, backend) in backends {
            do {
                networks[name] = try await backend.nodeInfo().network
            } catch {
                throw .backend(name, error)
            }
        }
        self.networks = networks
    }
}
