/// When the next connection attempt may be made: at once after a working connection, with backoff after failures.
struct ReconnectPace {
    /// The pause after the first failure; doubled after each further one.
    static let firstPause = Duration.milliseconds(50)
    /// The longest pause. A payment must show within a second, so pauses must be shorter.
    static let longestPause = Duration.milliseconds(800)

    private var failures = 0
    private var notBefore: ContinuousClock.Instant?

    /// How long to wait before the next attempt; nil when it may be made now.
    func pause(at now: ContinuousClock.Instant) -> Duration? {
        guard let notBefore, now < notBefore else { return nil }
        return notBefore - now
    }

    /// An attempt failed, or its connection was lost before any response.
    mutating func failed(at now: ContinuousClock.Instant) {
        let doublings = min(failures, 10)
        notBefore = now + min(Self.firstPause * (1 << doublings), Self.longestPause)
        failures += 1
    }

    /// The node has responded.
    mutating func succeeded() {
        failures = 0
        notBefore = nil
    }
}
