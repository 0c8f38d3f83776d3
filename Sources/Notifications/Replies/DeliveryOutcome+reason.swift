import OutboundHTTP

extension DeliveryOutcome {
    /// The outcome, as text for people.
    public var reason: String {
        switch self {
        case .taken: "taken"
        case .refused(let status): "refused with status \(status)"
        case .uncertain: "uncertain"
        case .unreachable(let fault): "not delivered: \(fault.reason)"
        case .forbidden: "not allowed to be posted there"
        case .outOfTime: "out of time"
        case .overloaded: "too many at once"
        }
    }
}
