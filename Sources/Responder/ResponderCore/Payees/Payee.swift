import LNURL
import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

/// An account, the node that receives for it, and what can be received now.
///
/// Resolved once per request, so that checks, order and signature agree.
package struct Payee: Sendable {
    package let account: Account
    let node: ReceivingNode
    package let limits: ReceiveLimits

    /// Whether the amount can be received.
    ///
    /// - Throws: `amountOutOfLimits`, `amountNotWholeSatoshis`.
    func check(_ amount: Millisatoshi) throws(Refusal) {
        guard limits.contains(amount) else { throw .amountOutOfLimits(limits) }
        if node.capabilities.precision == .wholeSatoshi, !amount.isWholeSatoshi { throw .amountNotWholeSatoshis }
    }

    /// Whether the account accepts such a comment.
    ///
    /// - Throws: `commentTooLong`.
    func check(comment: String?) throws(Refusal) {
        let allowed = account.settings.commentAllowed
        guard Comment.fits(comment ?? "", allowed: allowed) else { throw .commentTooLong(allowed: allowed) }
    }
}

extension Responder {
    package func account(named name: AccountID) async throws(Refusal) -> Account {
        guard let account = try await Refusal.asking(await accounts.account(named: name)) else {
            throw .unknownAccount
        }
        return account
    }

    package func payee(_ account: Account) async throws(Refusal) -> Payee {
        try await awaiting(
            await payee(account, at: try await nodes.node(named: account.settings.backend)), as: Refusal.unavailable)
    }

    func payee(_ account: Account, at node: ReceivingNode) async throws(Refusal.Cause) -> Payee {
        let (domain, own) = (account.domain.settings, account.settings)
        let limits = try await nodes.limits(of: node)
            .narrowed(to: domain.minSendable, domain.maxSendable)?.narrowed(to: own.minSendable, own.maxSendable)?
            .narrowed(toUsual: own.minSendable == nil && domain.minSendable == nil)
        guard let limits else { throw .noLimits(node.name) }
        return Payee(account: account, node: node, limits: limits)
    }
}

extension ReceiveLimits {
    /// Whole-sat wallets stumble over a minimum of less than a sat: it is one unless an operator has said another, or
    /// the maximum is below it.
    fileprivate func narrowed(toUsual isUnsaid: Bool) -> ReceiveLimits? {
        isUnsaid ? narrowed(to: min(AccountSettings.usualMinimum, maximum), nil) : self
    }
}

/// A request and its account, as a key: requests to different accounts may be identical.
struct AccountRequest: Hashable, Sendable {
    let account: AccountID
    let digest: RequestDigest
}

extension SingleFlight where Key == AccountRequest {
    /// One invoice for all who repeat a request: the earlier one while it can be paid, also that of another process.
    ///
    /// - Parameters:
    ///   - earlier: the invoice that was issued for the request before, if any.
    func invoice<Invoice: Sendable, Reason: LedgerFaultConvertible & Equatable>(
        for request: AccountRequest, earlier: @escaping @Sendable () async throws(Reason) -> Invoice?,
        issuing issue: @escaping @Sendable () async throws(Reason) -> Invoice
    ) async throws(Reason) -> Invoice where Value == Result<Invoice, Reason> {
        try await value(for: request) {
            do throws(Reason) {
                if let invoice = try await earlier() { return .success(invoice) }
                do throws(Reason) {
                    return .success(try await issue())
                } catch {
                    // Another process was faster.
                    guard error == .ledger(.requestAnswered), let invoice = try await earlier() else { throw error }
                    return .success(invoice)
                }
            } catch {
                return .failure(error)
            }
        }
        .get()
    }
}

/// The configured nodes. Their identity and limits are queried once in a few seconds and shared by all callers.
struct ReceivingNodes: Sendable {
    let known: KnownNodes
    private let backends: [BackendName: any ReceiveBackend]
    private let infos: [BackendName: CachedAnswer<NodeInfo>]
    private let limits: [BackendName: CachedAnswer<ReceiveLimits>]

    /// - Parameters:
    ///   - known: the node ids seen behind each backend.
    ///   - lifetime: how long limits are cached, in seconds.
    ///   - clock: the clock of the cache.
    init(_ backends: [BackendName: any ReceiveBackend], known: KnownNodes, lifetime: UInt64, clock: MonotonicClock) {
        self.backends = backends
        self.known = known
        limits = backends.mapValues { _ in CachedAnswer(for: .seconds(Int64(lifetime)), clock: clock) }
        // Heights and peers become outdated however long limits are cached, and BOLT12 paths depend on them.
        let shortLifetime = Int64(min(lifetime, ResponderSettings.nodeLifetime))
        infos = backends.mapValues { _ in CachedAnswer(for: .seconds(shortLifetime), clock: clock) }
    }

    func backend(named name: BackendName) throws(Refusal.Cause) -> any ReceiveBackend {
        guard let backend = backends[name] else { throw .noBackend(name) }
        return backend
    }

    /// The node behind a name, if it is still the same one.
    func node(named name: BackendName) async throws(Refusal.Cause) -> ReceivingNode {
        guard let backend = backends[name], let infos = infos[name] else { throw .noBackend(name) }
        let info = try await awaiting(
            await infos.value { () async throws(BackendFault) in try await backend.nodeInfo() }
        ) { Refusal.Cause.backend(name, $0) }
        try await Refusal.Cause.asking(await known.accept(info.nodeID, as: name))
        return ReceivingNode(
            name: name, backend: backend, info: info,
            capabilities: try await awaiting(await backend.capabilities) { Refusal.Cause.backend(name, $0) })
    }

    func limits(of node: ReceivingNode) async throws(Refusal.Cause) -> ReceiveLimits {
        guard let limits = limits[node.name] else { throw .noBackend(node.name) }
        return try await awaiting(
            await limits.value { () async throws(BackendFault) in
                let limits = try await node.backend.limits()
                guard node.capabilities.precision == .wholeSatoshi else { return limits }
                guard let whole = limits.wholeSatoshis() else { throw .nothingReceivable }
                return whole
            }
        ) { Refusal.Cause.backend(node.name, $0) }
    }
}

extension Responder {
    /// How offers of that node's accounts are paid; nil when no node has that name.
    ///
    /// - Returns: a fault when the node had to be queried and did not answer.
    package func offerCapability(of name: BackendName) async -> OfferCapability? {
        try? await nodes.backend(named: name).offerCapability
    }
}

/// A node that receives for accounts, as of the start of a request.
struct ReceivingNode: Sendable {
    let name: BackendName
    let backend: any ReceiveBackend
    let info: NodeInfo
    let capabilities: BackendCapabilities
}

/// The node ids seen behind each backend. A node may be down when the service starts; its id is learned from its first
/// response and must not change.
package final class KnownNodes: Sendable {
    private let ledger: any SettlementLedger
    private let known = Guarded<[BackendName: PublicKey]>([:])

    package init(ledger: any SettlementLedger) {
        self.ledger = ledger
    }

    /// Accepts a node behind a name, and stores it the first time.
    ///
    /// - Throws: `LedgerFault.anotherNode` when it differs from the stored one.
    package func accept(_ node: PublicKey, as name: BackendName) async throws(LedgerFault) {
        if let before = known.withLock({ $0[name] }), before == node { return }
        do {
            try await ledger.bind(name, to: node)
        } catch {
            if case .anotherNode(let before) = error { known.withLock { $0[name] = before } }
            throw error
        }
        known.withLock { $0[name] = node }
    }

    /// A node's current identity, for health checks: queried anew; nothing is stored or read.
    ///
    /// - Throws: `anotherNode` when it differs from the one this process knows.
    package func current(_ backend: any ReceiveBackend, named name: BackendName) async throws(Refusal.Cause) -> NodeInfo
    {
        let node = try await awaiting(await backend.nodeInfo()) { Refusal.Cause.backend(name, $0) }
        if let before = known.withLock({ $0[name] }), before != node.nodeID { throw .ledger(.anotherNode(before)) }
        return node
    }
}
