import LightningCoding
import Platform
package import ResponderModel

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
