/// What a node is asked to bear.
public struct BackendLoad: Hashable, Sendable {
    /// How many calls are under way at once.
    public var calls: Int
    /// How many more wait; further ones are refused at once.
    public var waiting: Int
    /// How long a call may take, its waiting included.
    public var deadline: Duration

    /// Creates a load; without numbers, one that a small node bears.
    public init(calls: Int = 8, waiting: Int = 200, deadline: Duration = .seconds(10)) {
        self.calls = calls
        self.waiting = waiting
        self.deadline = deadline
    }
}
