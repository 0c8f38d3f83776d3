public import LightningCoding

/// Why a backend call failed. Not shown to payers.
public enum BackendFault: Error, Hashable, Sendable {
    /// The node cannot be reached or closed the connection; a retry may help.
    case unreachable(String)
    /// The node did not answer in time.
    case timedOut
    /// Too many calls to the node are pending.
    case overloaded
    /// The node returned an error.
    case refused(String)
    /// Nothing can be received at the moment.
    case nothingReceivable
    /// The node cannot invoice this amount.
    case amountNotPossible
    /// The label or the preimage was used before.
    case duplicate
    /// This kind of node has no such call.
    case unsupported
    /// The node is on a different chain than configured.
    case wrongNetwork(Network, configured: Network)
    /// The node's response is invalid.
    case malformedAnswer(String)
    /// The node's own storage failed.
    case storage(String)

    /// Whether the same request may succeed a little later.
    public var isTransient: Bool {
        switch self {
        case .unreachable, .timedOut, .overloaded, .storage: true
        case .refused, .nothingReceivable, .amountNotPossible, .duplicate, .unsupported, .wrongNetwork,
            .malformedAnswer:
            false
        }
    }
}
