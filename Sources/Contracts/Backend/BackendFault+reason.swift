public import LightningCoding

extension BackendFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .unreachable(let why): Self.sentence("the node cannot be reached", why)
        case .timedOut: "the node did not answer in time"
        case .overloaded: "more is asked of the node already than it can bear"
        case .refused(let why): Self.sentence("the node refuses", why)
        case .nothingReceivable: "nothing can be received at the moment"
        case .amountNotPossible: "the node cannot make an invoice of that amount"
        case .duplicate: "the label or the preimage was used before"
        case .unsupported: "this kind of node cannot do that"
        case .wrongNetwork(let found, let configured):
            "the node is on \(found.rawValue), and the configuration says \(configured.rawValue)"
        case .malformedAnswer(let what): Self.sentence("the answer of the node makes no sense", what)
        case .storage(let why): Self.sentence("the storage of the node failed", why)
        }
    }

    private static func sentence(_ fault: String, _ details: String) -> String {
        details.isEmpty ? fault : fault + ": " + details
    }
}
