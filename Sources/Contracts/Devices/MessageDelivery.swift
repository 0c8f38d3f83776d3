/// How the devices of an owner learn of a message. Wakes that a payer waits for are none: they go at once, always.
public enum MessageDelivery: Hashable, Sendable {
    /// By a push message of its own, seen and heard.
    case alert
    /// By a push message of its own, of which only the app learns.
    case silent
    /// It is pending: a device finds it when it fetches, after the push message of another one, or when it is told to catch up.
    case fetched
    /// Only the notification centre has it.
    case none

    /// Whether it has a push message of its own.
    public var isPushed: Bool { self == .alert || self == .silent }
}
