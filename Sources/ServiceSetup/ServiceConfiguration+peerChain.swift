import Settings
package import LightningCoding
package import Contracts

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
}
