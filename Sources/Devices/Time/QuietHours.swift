public import LightningCoding

/// When a person wants no alerts: from one time of the day to another, perhaps across midnight, in their time zone.
public struct QuietHours: Hashable, Sendable {
    /// When they begin.
    public let from: TimeOfDay
    /// When they end.
    public let to: TimeOfDay

    /// Creates hours; with the same beginning and end there are none.
    public init(from: TimeOfDay, to: TimeOfDay) {
        self.from = from
        self.to = to
    }

    /// When alerts are allowed again; nil when they are now.
    public func end(at now: UnixTime, in zone: TimeZoneRules) -> UnixTime? {
        guard isQuiet(now, in: zone) else { return nil }
        // Minute by minute: clocks are set forward and back, and a day has at most 25 hours.
        let minute = UnixTime(now.seconds / 60 * 60)
        return (1...Self.longest).lazy.map { minute.adding(seconds: $0 * 60) }.first { !isQuiet($0, in: zone) }
            ?? minute.adding(seconds: Self.longest * 60)
    }

    private static let longest: UInt64 = 27 * 60

    private func isQuiet(_ time: UnixTime, in zone: TimeZoneRules) -> Bool {
        let local = Int64(clamping: time.seconds) + zone.offset(at: time)
        let minute = Int(local.modulo(86_400) / 60)
        return from.minute <= to.minute
            ? (from.minute..<to.minute).contains(minute) : !(to.minute..<from.minute).contains(minute)
    }
}

/// A time of the day, to the minute: `22:00`.
public struct TimeOfDay: Hashable, Sendable, CustomStringConvertible {
    /// Minutes since midnight, 0 to 1439.
    public let minute: Int

    /// Reads `hh:mm`; nil when it is invalid.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), let hour = UInt64(digits: Substring(parts[0])),
            let minute = UInt64(digits: Substring(parts[1])), hour < 24, minute < 60
        else { return nil }
        self.minute = Int(hour * 60 + minute)
    }

    /// As it is read.
    public var description: String {
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return padded(minute / 60) + ":" + padded(minute % 60)
    }
}
