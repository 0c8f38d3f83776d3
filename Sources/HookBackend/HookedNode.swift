public import Bolt12
public import LightningCoding
public import LightningCrypto
import Platform
public import NodeHTTP
public import Contracts

/// A node that somebody else's service or program stands in front of, spoken to in a small JSON contract of ours.
///
/// The contract is in `Scripts/hook/openapi.yaml`, a server of it in `Scripts/hook/example.py`. All amounts are msat, all
/// times seconds, all keys and hashes hexadecimal.
public final class HookedNode: Sendable {
    let transport: any HookTransport
    /// How long a question may take, beside the time for which the hook is asked to wait.
    private let patience: Duration
    private let events: HookEvents?
    private let wakeSignal = WakeSignal()
    private let declared = Guarded<BackendCapabilities?>(nil)

    /// A hook that is a service.
    ///
    /// - Parameters:
    ///   - url: to which `/` and the name of each method are added.
    ///   - tokenPath: a file with a token, visible ASCII, that is sent as `Authorization: Bearer …`. It is read at the first
    ///     question, and again when the service does not accept it.
    ///   - certificateAuthorities: a file of certificates (PEM) to trust in place of the system's.
    ///   - webhookSecretPath: a file with what the service signs its events with; nil when it sends none.
    /// - Throws: `BackendFault.refused` when the token would travel in the open, or the secret of the events cannot be read.
    public convenience init(
        _ url: HTTPURL,
        tokenPath: String? = nil,
        certificateAuthorities: String? = nil,
        webhookSecretPath: String? = nil,
        limits: CallLimits = CallLimits(),
        clock: @escaping WallClock = { .now() }
    ) throws(BackendFault) {
        let secret = try webhookSecretPath.map { path throws(BackendFault) in
            try SecretFile("webhook secret", path: path).text()
        }
        let transport = try HTTPHook(url, tokenPath, certificateAuthorities: certificateAuthorities, limits)
        self.init(over: transport, webhookSecret: secret, patience: limits.answerTimeout, clock: clock)
    }

    /// A hook that is a program, which runs as our child as long as this value lives.
    ///
    /// - Parameters:
    ///   - command: the program, by its path or to be looked for in `PATH`, and its arguments.
    ///   - environment: all of its variables.
    public convenience init(
        running command: [String],
        environment: [String: String],
        limits: CallLimits = CallLimits()
    ) throws(HookFault) {
        guard !command.isEmpty else { throw .noProgram }
        self.init(
            over: ProgramHook(command, environment: environment), webhookSecret: nil, patience: limits.answerTimeout,
            clock: { .now() })
    }

    init(
        over transport: any HookTransport, webhookSecret: SecretBytes?,
        patience: Duration = CallLimits().answerTimeout, clock: @escaping WallClock
    ) {
        self.transport = transport
        self.patience = patience
        events = webhookSecret.map { [wakeSignal] in HookEvents(secret: $0, clock: clock) { wakeSignal.ring() } }
    }

    deinit {
        transport.close()
    }

    func ask(_ method: HookMethod, _ parameters: JSONObject = JSONObject()) async throws(BackendFault) -> HookAnswer {
        HookAnswer(try await transport.call(method, parameters, within: patience), to: method)
    }
}

extension HookedNode: ReceiveBackend {
    /// What the hook has declared last; it is asked when it has not said so yet.
    public var capabilities: BackendCapabilities {
        get async throws(BackendFault) {
            if let known = declared.withLock({ $0 }) { return known }
            return try await introduce().capabilities
        }
    }

    /// Who the node is.
    public func nodeInfo() async throws(BackendFault) -> NodeInfo {
        try await introduce().node
    }

    private func introduce() async throws(BackendFault) -> (node: NodeInfo, capabilities: BackendCapabilities) {
        let answer = try await ask(.info)
        guard try answer.unsigned("version") == 1 else {
            throw .malformedAnswer("info: the hook speaks another version of the contract than 1")
        }
        let capabilities = try BackendCapabilities(answer.member("capabilities"))
        let node = try NodeInfo(answer)
        declared.withLock { $0 = capabilities }
        return (node, capabilities)
    }

    /// What can be received now.
    public func limits() async throws(BackendFault) -> ReceiveLimits {
        try ReceiveLimits(await ask(.limits))
    }

    /// Has an invoice made.
    public func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        let capabilities = try await capabilities
        if capabilities.precision == .wholeSatoshi, !order.amount.isWholeSatoshi { throw .amountNotPossible }
        if order.preimage != nil, !capabilities.acceptsPreimage { throw .unsupported }
        return try BackendInvoice(await ask(.create, order.parameters))
    }

    /// Where a payment stands.
    public func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await ask(.status, ["paymentHash": .string(paymentHash.hexadecimal)]).status()
    }

    /// Lets an open invoice go.
    public func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        guard try await capabilities.cancels else { throw .unsupported }
        _ = try await ask(.cancel, ["paymentHash": .string(paymentHash.hexadecimal)])
    }

    /// The hook's settlements, asked for again and again, each time with some patience of the hook's.
    public func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        let feed = HookFeed(of: transport, after: cursor, within: patience, wakeSignal: wakeSignal)
        return AsyncThrowingStream { try await feed.next() }
    }

    /// Where the hook says that its settlements end now; nil when it does not.
    public func presentEnd() async throws(BackendFault) -> SettlementCursor? {
        try await ask(.info).optionalText("settlementsEnd").map(SettlementCursor.init)
    }

    /// The node's own offer.
    public func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        guard try await capabilities.offers == .ownOffers else { throw .unsupported }
        return try await ask(.offer, order.parameters).offer()
    }

    /// Has the node's own offer switched off; a hook that cannot do that says that it is unsupported.
    public func disableOffer(_ id: OfferID) async throws(BackendFault) {
        guard try await capabilities.offers == .ownOffers else { throw .unsupported }
        _ = try await ask(.disableOffer, ["offerID": .string(id.hexadecimal)])
    }

    /// Tells the hook what has happened outside; one that looks after nothing says that it is unsupported.
    public func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        try await ask(.advance, event.parameters).optional("paymentHash") { try PaymentHash(hexadecimal: $0) }
    }

    /// Signed events, when a secret was agreed.
    public var webhooks: (any WebhookSource)? { events }
}
