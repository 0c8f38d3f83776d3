public import LightningCrypto
import Platform
public import Contracts

/// The nodes that backends have turned out to be. A node may be down when the service starts; who it is is learned with its
/// first answer, and must stay so.
public final class KnownNodes: Sendable {
    private let ledger: any Ledger
    private let known = Guarded<[BackendName: PublicKey]>([:])

    /// Remembers nodes in a ledger.
    public init(ledger: any Ledger) {
        self.ledger = ledger
    }

    /// Accepts a node as the one behind a name, and writes that down the first time.
    ///
    /// - Throws: `LedgerFault.anotherNode` when another one was.
    public func accept(_ node: PublicKey, as name: BackendName) async throws(LedgerFault) {
        if let before = known.withLock({ $0[name] }), before == node { return }
        do {
            try await ledger.bind(name, to: node)
        } catch {
            if case .anotherNode(let before) = error { known.withLock { $0[name] = before } }
            throw error
        }
        known.withLock { $0[name] = node }
    }

    /// Who a node is at this moment, for a look at how things stand: asked anew, and nothing is written down or read.
    ///
    /// - Throws: `anotherNode` when it is another one than this process knows.
    public func current(_ backend: any ReceiveBackend, named name: BackendName) async throws(Refusal.Cause) -> NodeInfo
    {
        let node = try await Refusal.Cause.asking(name, await backend.nodeInfo())
        if let before = known.withLock({ $0[name] }), before != node.nodeID { throw .ledger(.anotherNode(before)) }
        return node
    }
}
