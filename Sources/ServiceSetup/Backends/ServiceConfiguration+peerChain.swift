package import LightningCoding
package import Contracts

/// A connection between Lightning nodes is on one chain, so all nodes that receive payments must be on it.
extension ServiceConfiguration {
    /// The nodes whose offers are requested over our own Lightning peer. The embedded node, used for trials, does not
    /// count.
    private var peeredBackends: [BackendName] {
        let others = backends.keys.filter { $0 != embeddedName }
        return (others.isEmpty ? Array(backends.keys) : others).sorted { $0.description < $1.description }
    }

    /// How the configured chains contradict each other; nil when they do not.
    var chainContradiction: String? {
        guard hasOnionPeer else { return nil }
        return Self.contradiction(
            peeredBackends.compactMap { name in backends[name]?.network.map { (name, $0) } })
    }

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
        for name in peeredBackends {
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
        if let contradiction = Self.contradiction(known) {
            throw CommandFailure(.configuration, "onion-peer \(contradiction)")
        }
        return known.first?.1
    }

    private static func contradiction(_ chains: [(name: BackendName, network: Network)]) -> String? {
        guard Set(chains.map(\.network)).count > 1 else { return nil }
        let list = chains.map { "\($0.name) on \($0.network.rawValue)" }.joined(separator: ", ")
        return "must be on the one chain of all backends, and they are on several: \(list)"
    }
}
