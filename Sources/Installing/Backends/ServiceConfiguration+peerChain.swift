package import LightningCoding
package import Receiving

/// A connection between Lightning nodes is on one chain, so that all nodes that receive money must be on it.
extension ServiceConfiguration {
    /// The nodes whose offers are asked for over our own Lightning peer: those that are configured, or else the embedded one.
    private var peeredBackends: [BackendName] {
        backends.isEmpty ? [.embedded] : backends.keys.sorted { $0.description < $1.description }
    }

    /// What is wrong with the chains as configured; nil when nothing is.
    var chainContradiction: String? {
        guard onionPeer.isOn else { return nil }
        return Self.contradiction(
            peeredBackends.compactMap { name in backends[name]?.network.map { (name, $0) } })
    }

    /// The chain of our own Lightning peer.
    ///
    /// - Parameter chain: asks a node that the settings say nothing about. One that does not answer is passed over when
    ///   another one is known: the service starts without it.
    /// - Throws: when the nodes are on several chains, or when none is known.
    package func peerChain(
        asking chain: (BackendName) async throws(BackendFault) -> Network
    ) async throws(CommandFailure) -> Network {
        var known: [(BackendName, Network)] = []
        var silent: [BackendName] = []
        for name in peeredBackends {
            do {
                if let network = backends[name]?.network {
                    known.append((name, network))
                } else {
                    known.append((name, try await chain(name)))
                }
            } catch {
                silent.append(name)
            }
        }
        if let contradiction = Self.contradiction(known) {
            throw CommandFailure(.configuration, "onion-peer \(contradiction)")
        }
        guard let network = known.first?.1 else {
            let names = silent.map(\.description).joined(separator: ", ")
            let settings = silent.map { "backends.\($0).network" }.joined(separator: " or ")
            throw CommandFailure(
                .unavailable, "onion-peer: \(names) does not say on which chain it is; start it, or set \(settings)")
        }
        return network
    }

    private static func contradiction(_ chains: [(name: BackendName, network: Network)]) -> String? {
        guard Set(chains.map(\.network)).count > 1 else { return nil }
        let list = chains.map { "\($0.name) on \($0.network.rawValue)" }.joined(separator: ", ")
        return "must be on the one chain of all backends, and they are on several: \(list)"
    }
}
