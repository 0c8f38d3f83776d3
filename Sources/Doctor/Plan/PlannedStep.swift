public import OutboundHTTP

/// What is done about a probe.
public enum PlannedStep: Sendable {
    /// Its request is sent.
    case send(Probe, HTTPRequest)
    /// It is left out, for this reason.
    case omit(Probe, String)

    /// The probe.
    public var probe: Probe {
        switch self {
        case .send(let probe, _), .omit(let probe, _): probe
        }
    }
}
