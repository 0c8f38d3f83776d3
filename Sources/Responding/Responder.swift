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
    let limits: BackendCache<ReceiveLimits>
    let nodes: BackendCache<NodeInfo>
    let knownNodes: KnownNodes
    let offers: OfferIssuer?
    let requestsInFlight = SingleFlight<AccountRequest, Result<Invoice, RequestRefusal>>()
    let openInvoices: OpenInvoiceGate
    let noticeMismatch: @Sendable (InvoiceMismatch) -> Void
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
        self.backends = backends
        self.settings = settings
        self.clock = clock
        self.random = random
        accounts = AccountDirectory(ledger: ledger)
        let lifetime = min(settings.limitsLifetime, ResponderSettings.longestLimitsLifetime)
        limits = BackendCache(lifetime: .seconds(Int64(lifetime)), clock: ageClock)
        // Heights and peers go out of date whatever may be thought of limits, and BOLT12 paths are made of them.
        nodes = BackendCache(
            lifetime: .seconds(Int64(min(lifetime, ResponderSettings.nodeLifetime))), clock: ageClock)
        self.offers = offers
        self.noticeMismatch = noticeMismatch
        openInvoices = OpenInvoiceGate(maximum: settings.maximumOpenInvoices)
        knownNodes = KnownNodes(ledger: ledger)
    }

    /// Who receives for a backend's accounts now: the same node as ever, or none.
    func node(
        _ backend: any ReceiveBackend,
        named name: BackendName
    ) async throws(Refusal.Cause) -> NodeInfo {
        let node: NodeInfo
        do {
            node = try await nodes.value(of: name) { () async throws(BackendFault) in try await backend.nodeInfo() }
        } catch {
            throw .backend(name, error)
        }
        do {
            try await knownNodes.accept(node.nodeID, as: name)
        } catch {
            throw .ledger(error)
        }
        return node
    }

    /// Who a node is at this moment, for a look at how things stand: asked anew, and nothing is written down.
    public func currentNode(
        _ backend: any ReceiveBackend,
        named name: BackendName
    ) async throws(Refusal.Cause) -> NodeInfo {
        let node: NodeInfo
        do {
            node = try await backend.nodeInfo()
        } catch {
            throw .backend(name, error)
        }
        do {
            try knownNodes.compare(node.nodeID, with: name)
        } catch {
            throw .ledger(error)
        }
        return node
    }
}
