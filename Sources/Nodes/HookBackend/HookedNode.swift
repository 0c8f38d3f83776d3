package import Bolt12
package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

/// A node behind a third-party service or program that implements our small JSON contract.
///
/// The contract is in `docs/hook-api.yaml`, an example server in `Scripts/hook/example.py`. All amounts are
/// msat, all times seconds, all keys and hashes hexadecimal.
package final class HookedNode: Sendable {
    let transport: any HookTransport
    /// The timeout of a request, in addition to the time that the hook is asked to wait.
    private let timeout: Duration
    private let events: HookEvents?
    private let wakeSignal = WakeSignal()
    private let declared = Guarded<BackendCapabilities?>(nil)

    /// - Parameter events: a file with the secret that signs the events of a service, and the time by which they are fresh;
    ///   nil when it sends none.
    /// - Throws: `BackendFault.refused` when the token would be sent unencrypted, or the events' secret cannot be read.
    package convenience init(
        at address: HookAddress, events: (secretPath: String, clock: WallClock)? = nil,
        limits: CallLimits = CallLimits()
    ) throws(BackendFault) {
        let events = try events.map { events throws(BackendFault) in
            (try SecretFile("webhook secret", path: events.secretPath).text(), events.clock)
        }
        self.init(over: try address.transport(limits), timeout: limits.answerTimeout, events: events)
    }

    init(
        over transport: any HookTransport, timeout: Duration = CallLimits().answerTimeout,
        events: (secret: SecretBytes, clock: WallClock)? = nil
    ) {
        self.transport = transport
        self.timeout = timeout
        self.events = events.map { [wakeSignal] in HookEvents(secret: $0, clock: $1) { wakeSignal.wake() } }
    }

    deinit {
        transport.close()
    }

    func ask(_ method: HookMethod, _ parameters: JSONObject = JSONObject()) async throws(BackendFault) -> NodeAnswer {
        try NodeAnswer(await transport.call(method, parameters, within: timeout).result, to: method)
    }
}

extension HookedNode: ReceiveBackend {
    /// The capabilities that the hook last declared; it is called if it has not declared any yet.
    package var capabilities: BackendCapabilities {
        get async throws(BackendFault) {
            if let known = declared.withLock({ $0 }) { return known }
            return try await introduce().capabilities
        }
    }

    package func nodeInfo() async throws(BackendFault) -> NodeInfo {
        try await introduce().node
    }

    private func introduce() async throws(BackendFault) -> (node: NodeInfo, capabilities: BackendCapabilities) {
        let answer = try await ask(.info)
        guard try answer.unsigned("version") == 1 else {
            throw .malformedAnswer("info: the hook's version of the contract is not 1")
        }
        let capabilities = try BackendCapabilities(answer.member("capabilities"))
        let node = try NodeInfo(answer)
        declared.withLock { $0 = capabilities }
        return (node, capabilities)
    }

    package func limits() async throws(BackendFault) -> ReceiveLimits {
        try ReceiveLimits(await ask(.limits))
    }

    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        let capabilities = try await capabilities
        if capabilities.precision == .wholeSatoshi, !order.amount.isWholeSatoshi { throw .amountNotPossible }
        if order.preimage != nil, !capabilities.acceptsPreimage { throw .unsupported }
        return try BackendInvoice(await ask(.create, order.parameters))
    }

    package func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await ask(.status, ["paymentHash": .string(paymentHash.hexadecimal)]).status()
    }

    package func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        guard try await capabilities.cancels else { throw .unsupported }
        _ = try await ask(.cancel, ["paymentHash": .string(paymentHash.hexadecimal)])
    }

    /// The hook's settlements, by repeated requests, in each of which the hook may wait.
    package func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        let feed = HookFeed(of: transport, after: cursor, within: timeout, wakeSignal: wakeSignal)
        return AsyncThrowingStream { try await feed.next() }
    }

    /// A cursor at the end of the hook's settlements; nil when the hook does not support that.
    package func presentEnd() async throws(BackendFault) -> SettlementCursor? {
        try await ask(.info).optionalText("settlementsEnd").map(SettlementCursor.init)
    }

    /// Whether the hook knows the cursor; if not, its node was rebuilt.
    package func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState {
        let question: JSONObject = ["after": .string(cursor.text), "wait": 0, "limit": 1]
        let response: HookResponse
        do throws(BackendFault) {
            response = try await transport.call(.settlements, question, within: timeout)
        } catch .malformedAnswer {
            // One page that cannot be read must not keep settlements from being followed.
            return .reached
        }
        if case .error(let error) = response, error["code"]?.string?.isExactly("unknown-cursor") == true {
            return .renumbered
        }
        _ = try response.result
        return .reached
    }

    package func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        guard try await capabilities.offers == .ownOffers else { throw .unsupported }
        return try await ask(.offer, order.parameters).offer()
    }

    /// Disables the node's own offer; a hook that cannot do that returns `unsupported`.
    package func disableOffer(_ id: OfferID) async throws(BackendFault) {
        guard try await capabilities.offers == .ownOffers else { throw .unsupported }
        _ = try await ask(.disableOffer, ["offerID": .string(id.hexadecimal)])
    }

    /// Forwards an outside event to the hook; one that does not handle it returns `unsupported`.
    package func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        try await ask(.advance, event.parameters).optional("paymentHash") { try PaymentHash(hexadecimal: $0) }
    }

    /// Signed events, when a secret is configured.
    package var webhooks: (any WebhookSource)? { events }
}
