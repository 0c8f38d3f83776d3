/// Limits on the load of a node.
public struct BackendLoad: Hashable, Sendable {
    /// The maximum number of concurrent calls.
    public var calls: Int
    /// How many more may wait; further calls are rejected at once.
    public var waiting: Int
    /// The maximum duration of a call, including its waiting time.
    public var deadline: Duration

    /// Creates limits; the defaults suit a small node.
    public init(calls: Int = 8, waiting: Int = 200, deadline: Duration = .seconds(10)) {
        self.calls = calls
        self.waiting = waiting
        self.deadline = deadline
    }
}
