import Devices
import LightningCoding
import LightningCrypto
package import ResponderModel

/// What keeps payments from being forwarded to somebody, as the nodes know.
package struct ForwardingHints: Sendable {
    private let nodes: [any ForwardingNode]
    let token: BearerToken

    package init(of nodes: [any ForwardingNode], for token: BearerToken) {
        self.nodes = nodes
        self.token = token
    }

    /// The best that any node says: a payment may come through each of them. Nodes that fail say nothing.
    ///
    /// - Throws: the fault of a node, when all fail.
    func hint(
        forwarding amount: Millisatoshi, to recipient: PublicKey
    ) async throws(BackendFault) -> ForwardingHint {
        let answers = await withTaskGroup(of: Result<ForwardingHint, BackendFault>.self) { group in
            for node in nodes {
                group.addTask {
                    do throws(BackendFault) {
                        return .success(
                            ForwardingHint(forwarding: amount, to: try await node.forwardingPeer(recipient)))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let hints = answers.compactMap { try? $0.get() }
        if let best = hints.max() { return best }
        for case .failure(let fault) in answers { throw fault }
        throw .unsupported
    }
}
