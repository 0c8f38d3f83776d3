import OutboundHTTP
import Platform

/// Two connections with one server: whoever waits for a device's reply never waits behind other messages.
struct ProviderLanes: Sendable {
    private let replies: ProviderConnection
    private let others: ProviderConnection

    init(_ configuration: HTTPClient.Configuration, clock: MonotonicClock) {
        replies = ProviderConnection(configuration, clock: clock)
        others = ProviderConnection(configuration, clock: clock)
    }

    subscript(_ priority: PushPriority) -> ProviderConnection { priority == .reply ? replies : others }

    /// How long a request may take: providers ask for as much patience. It is not repeated then, since the provider may have
    /// taken it.
    static let timeout = Duration.seconds(10)
}

extension PushVerdict {
    /// What follows when there is no answer.
    init(_ fault: OutboundFault) {
        switch fault {
        case .connectionLost: self = .connectionEnded
        case .timeout: self = .unanswered(fault.reason)
        case .tls: self = .untrusted(fault.reason)
        default: self = .unavailable(fault.reason, retryAfter: nil)
        }
    }
}
