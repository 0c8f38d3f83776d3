public import LightningCoding

/// Why a backend did not do what was asked. None of it is shown to a payer.
public enum BackendFault: Error, Hashable, Sendable {
    /// The node cannot be reached, or hung up; trying again may help.
    case unreachable(String)
    /// The node did not answer in time.
    case timedOut
    /// More is asked of the node already than it can bear.
    case overloaded
    /// The node answered with an error of its own.
    case refused(String)
    /// Nothing can be received at the moment.
    case nothingReceivable
    /// The amount is one that the node cannot invoice.
    case amountNotPossible
    /// The label or the preimage was used before.
    case duplicate
    /// This kind of node has no such call.
    case unsupported
    /// The node lives on another chain than the configuration says.
    case wrongNetwork(Network, configured: Network)
    /// What the node answered makes no sense.
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
