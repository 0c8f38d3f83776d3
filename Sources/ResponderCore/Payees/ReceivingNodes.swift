public import Contracts

/// The configured nodes. Who they are and what they can receive is asked once in a few seconds, however many want to know.
struct ReceivingNodes: Sendable {
    let known: KnownNodes
    private let backends: [BackendName: any ReceiveBackend]
    private let infos: BackendCache<NodeInfo>
    private let limits: BackendCache<ReceiveLimits>

    /// - Parameters:
    ///   - known: which node each backend has turned out to be.
    ///   - lifetime: seconds for which limits are kept.
    ///   - clock: by which answers become too old.
    init(_ backends: [BackendName: any ReceiveBackend], known: KnownNodes, lifetime: UInt64, clock: MonotonicClock) {
        self.backends = backends
        self.known = known
        limits = BackendCache(lifetime: .seconds(Int64(lifetime)), clock: clock)
        // Heights and peers go out of date whatever may be thought of limits, and BOLT12 paths are made of them.
        infos = BackendCache(
            lifetime: .seconds(Int64(min(lifetime, ResponderSettings.nodeLifetime))), clock: clock)
    }

    /// The backend of that name.
    func backend(named name: BackendName) throws(Refusal.Cause) -> any ReceiveBackend {
        guard let backend = backends[name] else { throw .noBackend(name) }
        return backend
    }

    /// The node behind a name: the same one as ever, or none.
    func node(named name: BackendName) async throws(Refusal.Cause) -> ReceivingNode {
        let backend = try backend(named: name)
        let info = try await Refusal.Cause.asking(
            name, await infos.value(of: name) { () async throws(BackendFault) in try await backend.nodeInfo() })
        try await Refusal.Cause.asking(await known.accept(info.nodeID, as: name))
        return ReceivingNode(
            name: name, backend: backend, info: info,
            capabilities: try await Refusal.Cause.asking(name, await backend.capabilities))
    }

    /// What a node can receive in one payment.
    func limits(of node: ReceivingNode) async throws(Refusal.Cause) -> ReceiveLimits {
        try await Refusal.Cause.asking(
            node.name,
            await limits.value(of: node.name) { () async throws(BackendFault) in
                let limits = try await node.backend.limits()
                guard node.capabilities.precision == .wholeSatoshi else { return limits }
                guard let whole = limits.wholeSatoshis() else { throw .nothingReceivable }
                return whole
            })
    }
}

extension Responder {
    /// How offers of the accounts of that node are paid; nil when no node has that name.
    ///
    /// - Returns: a fault when the node must be asked and did not say.
    public func offerCapability(of name: BackendName) async -> OfferCapability? {
        try? await nodes.backend(named: name).offerCapability
    }
}
