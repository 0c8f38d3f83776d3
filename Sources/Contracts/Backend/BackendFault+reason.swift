public import LightningCoding

extension BackendFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .unreachable(let why): Self.sentence("the node cannot be reached", why)
        case .timedOut: "the node did not answer in time"
        case .overloaded: "too many calls to the node are waiting"
        case .refused(let why): Self.sentence("the node refused", why)
        case .nothingReceivable: "the node cannot receive anything at the moment"
        case .amountNotPossible: "the node cannot make an invoice of that amount"
        case .duplicate: "the label or the preimage was used before"
        case .unsupported: "this kind of node cannot do that"
        case .wrongNetwork(let found, let configured):
            "the node is on \(found.rawValue), and the configuration says \(configured.rawValue)"
        case .malformedAnswer(let what): Self.sentence("the node's answer is invalid", what)
        case .storage(let why): Self.sentence("the node's storage failed", why)
        }
    }

    private static func sentence(_ fault: String, _ details: String) -> String {
        details.isEmpty ? fault : fault + ": " + details
    }
}
