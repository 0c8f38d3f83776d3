package import EmbeddedNode
package import LightningCoding
package import LightningCrypto
package import ResponderModel

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
