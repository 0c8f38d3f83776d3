/// How long one answer may wait for a server, over all the calls that it takes: whoever asked is told of a server that is
/// silent after that time, once. Found through a task-local value, so that it need not be passed along.
public final class WaitingTime: Sendable {
    /// The time of the answer that this task works on; nil when each call has its own time only.
    @TaskLocal public static var current: WaitingTime?

    private let time: Guarded<Duration>

    /// Creates the time of one answer.
    public init(_ time: Duration) {
        self.time = Guarded(time)
    }

    /// What is left of it; never negative.
    public var left: Duration { max(time.withLock { $0 }, .zero) }

    /// Takes away the time of a call.
    public func spend(_ duration: Duration) {
        time.withLock { $0 -= duration }
    }
}
