import Settings
package import EmbeddedNode
package import LightningCrypto
import Nodes
package import Contracts

extension NodeConfiguration {
    /// Connects the node. No call is made yet: the node may start later.
    ///
    /// - Parameters:
    ///   - embedded: the embedded node, which runs in this process: calls to it are neither queued nor lost.
    ///   - isUnissued: whether no payer holds an invoice with that hash for certain.
    /// - Throws: when a file with a secret cannot be read.
    package func connect(
        as name: BackendName, embedded: EmbeddedBackend?,
        isUnissued: @escaping @Sendable (PaymentHash) async -> Bool
    ) throws(CommandFailure) -> any ReceiveBackend {
        if kind is EmbeddedKind, let embedded { return embedded }
        do {
            return ConfiguredBackend(
                try kind.connect(bearing: load), network: network, load: load, paths: paths, isUnissued: isUnissued)
        } catch {
            throw CommandFailure(.configuration, "backend \(name): cannot be used as configured: \(error.reason)")
        }
    }
}
