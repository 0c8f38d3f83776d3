package import Contracts
package import LightningCoding

/// A connection between Lightning nodes is on one chain, so all nodes that receive payments must be on it.
extension ServiceConfiguration {
    /// The nodes whose offers are requested over our own Lightning peer. The embedded node, used for trials, does not
    /// count.
    package var peeredBackends: [BackendName] {
        let others = backends.keys.filter { $0 != embeddedName }
        return (others.isEmpty ? Array(backends.keys) : others).sorted { $0.description < $1.description }
    }

    /// How the configured chains contradict each other; nil when they do not.
    var chainContradiction: String? {
        guard hasOnionPeer else { return nil }
        return Self.contradiction(
            peeredBackends.compactMap { name in backends[name]?.network.map { (name, $0) } })
    }

    package static func contradiction(_ chains: [(name: BackendName, network: Network)]) -> String? {
        guard Set(chains.map(\.network)).count > 1 else { return nil }
        let list = chains.map { "\($0.name) on \($0.network.rawValue)" }.joined(separator: ", ")
        return "must be on the one chain of all backends, and they are on several: \(list)"
    }
}
