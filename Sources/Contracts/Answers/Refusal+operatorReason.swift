import LNURL

extension Refusal.Cause {
    /// The text for the operator, with the internal cause. The payer reads `reason`.
    public var operatorReason: String {
        switch self {
        case .ledger(let fault): fault.reason
        case .backend(let name, let fault): "\(name): \(fault.reason)"
        case .inspection(let name, let fault):
            "\(name) returned an invoice that does not match the order: \(fault.reason)"
        case .noBackend(let name): "no node is called \(name)"
        case .noLimits(let name): "the limits of the account and of \(name) exclude each other"
        case .answer(let fault): "the answer would break a rule of LNURL: \(fault.reason)"
        case .successAction(let fault): "the success action breaks a rule: \(fault.reason)"
        case .randomness: "the system has no random bytes"
        case .outOfTime: "out of time"
        }
    }
}
