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

    /// How long a request may take: for a waiting payer less than a provider may need, so that a second one is possible.
    static func timeout(_ priority: PushPriority) -> Duration { priority == .reply ? .seconds(2) : .seconds(10) }
}

extension PushVerdict {
    /// What follows when there is no answer.
    init(_ fault: OutboundFault) {
        switch fault {
        case .connectionLost: self = .connectionEnded
        default: self = .unavailable(fault.reason, retryAfter: nil)
        }
    }
}
