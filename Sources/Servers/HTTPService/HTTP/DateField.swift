import LightningCoding
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The `Date` of responses (RFC 9110, 6.6.1), written once a second.
final class DateField: Sendable {
    private let last = Guarded((time: UnixTime?.none, text: ""))

    func text(at time: UnixTime = .now()) -> String {
        last.withLock { last in
            if last.time != time { last = (time, Self.text(of: time)) }
            return last.text
        }
    }

    private static func text(of time: UnixTime) -> String {
        var (seconds, parts) = (time_t(clamping: time.seconds), tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
