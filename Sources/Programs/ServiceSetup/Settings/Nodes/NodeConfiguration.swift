package import LightningCoding
package import LightningCrypto
package import ResponderModel
package import EmbeddedNode

package struct NodeConfiguration: Sendable {
    package let kind: any NodeKind
    /// The chain that it must be on; nil accepts any.
    package let network: Network?
    package let load: BackendLoad
    package let paths: PathPreferences

    /// The default when the file names no node: the embedded one, for trying things out.
    static let standard: [BackendName: NodeConfiguration] = [
        .embedded: NodeConfiguration(
            kind: EmbeddedKind(), network: nil, load: BackendLoad(), paths: PathPreferences())
    ]

    /// The section `backends`: a mapping of names to nodes. An empty one counts as missing.
    package static func all(in section: SectionNode) throws(ConfigurationFaults) -> [BackendName: NodeConfiguration] {
        var nodes: [BackendName: NodeConfiguration] = [:]
        try section.forEachEntry { text, node throws(ConfigurationFaults) in
            guard let name = BackendName(text) else {
                throw node.fault("is not a valid name: 1 to 64 characters of a-z 0-9 - _")
            }
            let configuration = try NodeConfiguration(node)
            if configuration.kind is EmbeddedKind, nodes.values.contains(where: { $0.kind is EmbeddedKind }) {
                throw node.fault("is a second embedded node; only one is allowed")
            }
            // Otherwise accounts created before the first real node would silently be paid to it.
            guard name != .embedded || configuration.kind is EmbeddedKind else {
                throw node.fault("is the name of the embedded node; use another name")
            }
            nodes[name] = configuration
        }
        return nodes
    }
}

extension NodeConfiguration {
    init(_ node: SectionNode) throws(ConfigurationFaults) {
        let names = try node.entries()
        guard let entry = names.first(where: { $0.name == Self.kind.key }),
            let kind = try entry.node.value(as: Self.kind)?.kind
        else { throw node.fault("needs kind") }
        self = try node.fields(kind.allRows, nested: kind.nested) { fields throws(ConfigurationFaults) in
            let kind = try kind.init(fields)
            if !kind.buildsOffers {
                try fields.refuse(
                    [Self.peers, Self.feeSlack, Self.cltvSlack], "applies only where the service builds the offers")
            }
            return NodeConfiguration(
                kind: kind, network: fields[Self.network],
                load: fields.load,
                paths: PathPreferences(
                    peers: fields[Self.peers], feeSlack: UInt32(clamping: fields[Self.feeSlack]),
                    cltvSlack: UInt16(clamping: fields[Self.cltvSlack])))
        }
    }

    static let kind = Setting<NodeKindWord?>("kind", "Which software the node runs.")
    static let network = Setting<Network?>("network", "The chain that the node must be on.")
    static let calls = Setting<UInt64>(
        "calls", standard: 8, in: 1...1_000, "The maximum number of simultaneous calls to the node.")
    static let waiting = Setting<UInt64>(
        "waiting", standard: 200, in: 0...100_000,
        "The maximum number of queued calls; further ones are refused immediately.")
    static let deadline = Setting<UInt64>(
        "deadline", standard: 10, in: 1...60, "Seconds that a call may take, including its time in the queue.")
    static let peers = Setting<[PublicKey]>(
        "peers", standard: [],
        "Peers through which BOLT12 payments arrive, instead of those that the node reports; where the service builds the offers."
    )
    static let feeSlack = Setting<UInt64>(
        "fee-slack", standard: 0, in: 0...100_000,
        "Millionths added to a peer's forwarding fee, where the service builds the offers.")
    static let cltvSlack = Setting<UInt64>(
        "cltv-slack", standard: 0, in: 0...1_000,
        "Blocks added to a peer's CLTV expiry delta, where the service builds the offers.")

    /// The keys of every kind of node.
    static let common: [any SettingRow] = [kind, network, calls, waiting, deadline, peers, feeSlack, cltvSlack]
}

extension PublicKey: SettingValue {
    package static var form: String { "node id of 66 hexadecimal digits" }
    package init?(setting text: String) { try? self.init(hexadecimal: text) }
}

/// A connection between Lightning nodes is on one chain, so all nodes that receive payments must be on it.
extension [BackendName: NodeConfiguration] {
    /// The nodes whose offers are requested over our own Lightning peer. The embedded node, used for trials, does not
    /// count.
    var peered: [BackendName] {
        let others = filter { !($0.value.kind is EmbeddedKind) }.keys
        return (others.isEmpty ? keys : others).sorted { $0.description < $1.description }
    }

    /// How the configured chains contradict each other; nil when they do not.
    var chainContradiction: String? {
        Self.contradiction(peered.compactMap { name in self[name]?.network.map { (name, $0) } })
    }

    static func contradiction(_ chains: [(name: BackendName, network: Network)]) -> String? {
        guard Set(chains.map(\.network)).count > 1 else { return nil }
        let list = chains.map { "\($0.name) on \($0.network.rawValue)" }.joined(separator: ", ")
        return "must be on the one chain of all backends, and they are on several: \(list)"
    }
}

enum NodeKeys {
    static let url = Setting("url", "The URL of the node's REST interface.", rule: withoutQuery)
    /// The path of a call is appended to the URL.
    static let withoutQuery: @Sendable (HTTPURL) -> String? = { $0.query == nil ? nil : "must have no query" }
    static let webhookSecretFile = Setting<String?>(
        "webhook-secret-file", "A file with the secret that signs events.")
    static let certificateFile = Setting<String?>(
        "certificate-file", "The certificate to trust (PEM), instead of the system's authorities.")
}

extension SectionFields {
    var load: BackendLoad {
        BackendLoad(
            calls: Int(clamping: self[NodeConfiguration.calls]),
            waiting: Int(clamping: self[NodeConfiguration.waiting]),
            deadline: .seconds(Int64(clamping: self[NodeConfiguration.deadline])))
    }

    func urlOfNode() throws(ConfigurationFaults) -> HTTPURL {
        let url = try required(NodeKeys.url)
        guard let safe = try? NodeURL(url) else {
            throw section.fault("needs a URL that keeps secrets: it \(NodeURL.rule)")
        }
        return safe.url
    }
}

extension NodeConfiguration {
    /// Connects the node. No call is made yet: the node may start later.
    ///
    /// - Parameters:
    ///   - embedded: the embedded node, which runs in this process: calls to it are neither queued nor lost.
    ///   - clock: the ledger's time.
    ///   - isUnissued: whether no payer holds an invoice with that hash for certain.
    /// - Throws: when a file with a secret cannot be read.
    package func connect(
        as name: BackendName, embedded: EmbeddedBackend?, clock: @escaping WallClock,
        isUnissued: @escaping @Sendable (PaymentHash) async -> Bool
    ) throws(CommandFailure) -> any ReceiveBackend {
        if kind is EmbeddedKind, let embedded { return embedded }
        do {
            return ConfiguredBackend(
                try kind.connect(clock: clock), network: network, load: load, paths: paths,
                isUnissued: isUnissued)
        } catch {
            throw CommandFailure(.configuration, "backend \(name): cannot be used as configured: \(error.reason)")
        }
    }
}

extension ServiceConfiguration {
    /// The chain of our own Lightning peer.
    ///
    /// - Parameter chain: asks a node whose chain is not configured. A node that does not answer is skipped: the
    ///   service starts without it.
    /// - Returns: nil when neither the settings nor a node names the chain.
    /// - Throws: when the nodes are on several chains.
    package func peerChain(
        asking chain: (BackendName) async throws(BackendFault) -> Network
    ) async throws(CommandFailure) -> Network? {
        var known: [(BackendName, Network)] = []
        for name in backends.peered {
            do {
                if let network = backends[name]?.network {
                    known.append((name, network))
                } else {
                    known.append((name, try await chain(name)))
                }
            } catch {
                continue
            }
        }
        if let contradiction = [BackendName: NodeConfiguration].contradiction(known) {
            throw CommandFailure(.configuration, "onion-peer \(contradiction)")
        }
        return known.first?.1
    }
}
