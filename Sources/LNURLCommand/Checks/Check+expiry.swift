import LightningCoding

extension Check {
    /// Whether there is time to pay an unexpired invoice.
    static func expiry(at end: UnixTime, madeAt start: UnixTime, now: UnixTime) -> Check {
        let left = end.seconds(since: now)
        // Allows clock skew of minutes, not hours.
        if start.seconds(since: now) > 600 {
            return .warning("expiry", "created in the future, at \(start.iso8601): one of the clocks is wrong")
        }
        if left < 60 { return .warning("expiry", "in \(left) seconds, which may be too short to pay") }
        return .passed("expiry", "in \(left) seconds, at \(end.iso8601)")
    }
}
