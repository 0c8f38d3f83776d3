/// How long to wait before the next attempt to connect: a tenth of a second after the first failure, twice as long after
/// each further one, at most a second; and a random half of that less, so that many clients do not come at once.
struct ReconnectDelay {
    private var failures = 0

    /// - Parameter jitter: 0 to 1.
    mutating func next(jitter: Double) -> Duration {
        let longest = Duration.milliseconds(min(100 << min(failures, 4), 1000))
        failures += 1
        return longest * (1 - jitter / 2)
    }

    mutating func reset() {
        failures = 0
    }
}
