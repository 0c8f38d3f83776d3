import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

/// The node ids seen behind each backend. A node may be down when the service starts; its id is learned from its first
/// response and must not change.
package final class KnownNodes: Sendable {
    private let ledger: any SettlementLedger
    private let known = Guarded<[BackendName: PublicKey]>([:])

    package init(ledger: any SettlementLedger) {
        self.ledger = ledger
    }

    /// Accepts a node behind a name, and stores it the first time.
    ///
    /// - Throws: `LedgerFault.anotherNode` when it differs from the stored one.
    package func accept(_ node: PublicKey, as name: BackendName) async throws(LedgerFault) {
        if let before = known.withLock({ $0[name] }), before == node { return }
        do {
            try await ledger.bind(name, to: node)
        } catch {
            if case .anotherNode(let before) = error { known.withLock { $0[name] = before } }
            throw error
        }
        known.withLock { $0[name] = node }
    }

    /// A node's current identity, for health checks: queried anew; nothing is stored or read.
    ///
    /// - Throws: `anotherNode` when it differs from the one this process knows.
    package func current(_ backend: any ReceiveBackend, named name: BackendName) async throws(Refusal.Cause) -> NodeInfo
    {
        let node = try await awaiting(await backend.nodeInfo()) { Refusal.Cause.backend(name, $0) }
        if let before = known.withLock({ $0[name] }), before != node.nodeID { throw .ledger(.anotherNode(before)) }
        return node
    }
}
