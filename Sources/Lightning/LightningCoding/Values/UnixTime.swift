#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A time: whole seconds since 1970-01-01 00:00 UTC.
public struct UnixTime: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01 00:00 UTC.
    public let seconds: UInt64

    /// Creates a time from seconds since 1970-01-01 00:00 UTC.
    public init(_ seconds: UInt64) {
        self.seconds = seconds
    }

    /// The last second of the year 9999 (UTC), the latest plausible time.
    public static let lastSecond = UnixTime(253_402_300_799)

    /// The earlier time is less.
    public static func < (left: Self, right: Self) -> Bool {
        left.seconds < right.seconds
    }

    /// A later time, saturating at the largest value.
    public func adding(seconds: UInt64) -> UnixTime {
        let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
        return UnixTime(overflow ? .max : sum)
    }

    /// Seconds since another time, 0 when that one is later.
    public func seconds(since other: UnixTime) -> UInt64 {
        seconds > other.seconds ? seconds - other.seconds : 0
    }

    /// The time in UTC: `2026-11-21T03:27:03Z` (ISO 8601; years beyond 9999 have more digits).
    public var iso8601: String {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = Self.civilDate(daysSince1970: days)
        func padded(_ number: UInt64, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))"
            + "T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))Z"
    }

    /// The system clock.
    public static func now() -> UnixTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(UInt64(clamping: time.tv_sec))
    }

    /// The system clock, as the time since 1970-01-01 00:00 UTC.
    public static func sinceEpoch() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The Gregorian date of a day. Years are counted from 1 March, so that the leap day is the last day of its year;
    /// 400 years, an era, always have 146 097 days.
    private static func civilDate(daysSince1970: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
        let daysFromYear0 = daysSince1970 + 719_468
        let (era, dayOfEra) = daysFromYear0.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

/// The source of time: `UnixTime.now` in a service, a constant in a test.
public typealias WallClock = @Sendable () -> UnixTime
