import Settings
package import EmbeddedNode
import Nodes
package import Contracts

extension NodeConfiguration {
    /// Connects the node. No call is made yet: the node may start later.
    ///
    /// - Parameter embedded: the embedded node, which runs in this process: calls to it are neither queued nor lost.
    /// - Throws: when a file with a secret cannot be read.
    package func connect(
        as name: BackendName, embedded: EmbeddedBackend?
    ) throws(CommandFailure) -> any ReceiveBackend {
        if kind is EmbeddedKind, let embedded { return embedded }
        do {
            return ConfiguredBackend(
                try kind.connect(bearing: load), network: network, load: load, paths: paths)
        } catch {
            throw CommandFailure(.configuration, "backend \(name): cannot be used as configured: \(error.reason)")
        }
    }
}
