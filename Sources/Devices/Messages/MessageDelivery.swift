public import Contracts
public import LightningCoding

/// How and when a device is told of a message. Wakes that a payer waits for are none: they go at once, always.
public enum MessageDelivery: Hashable, Sendable {
    /// Seen and heard, from that moment on.
    case alert(notBefore: UnixTime)
    /// Only the app learns of it.
    case silent
    /// Only the app learns of it, with the others of its ``MessageHour``.
    case collected
    /// Only the notification centre has it.
    case none

    /// Decides by the owner's preferences.
    ///
    /// - Parameters:
    ///   - message: what is told.
    ///   - preferences: what the owner wants.
    ///   - zone: the rules of the time zone of the quiet hours; nil when it is unknown, and then there are no such hours.
    ///   - now: the time.
    public init(
        of message: DeviceMessage.Content, by preferences: MessagePreferences, in zone: TimeZoneRules?, at now: UnixTime
    ) {
        switch preferences.way(for: message.type) {
        case .off: self = .none
        case .silent where message.priority == .low, .alert where message.priority == .low: self = .collected
        case .silent: self = .silent
        case .alert:
            guard let quiet = preferences.quiet, let zone, message.type != .security,
                !quiet.except.contains(message.type), let end = quiet.hours.end(at: now, in: zone)
            else {
                self = .alert(notBefore: now)
                return
            }
            self = .alert(notBefore: end)
        }
    }
}
