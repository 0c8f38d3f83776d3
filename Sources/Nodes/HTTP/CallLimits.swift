public import LightningCoding

/// Limits of the calls to a node.
public struct CallLimits: Sendable {
    /// How long connecting may take.
    public var connectTimeout = Duration.seconds(5)
    /// How long a call may take in total, including its wait in the queue.
    public var answerTimeout = Duration.seconds(15)
    /// The longest response that is read, in bytes.
    public var maximumAnswerBytes = 8 << 20
    /// How many calls are under way at once.
    public var maximumConcurrency = 16
    /// The maximum number of queued calls; more are rejected at once.
    public var maximumWaiting = 256
    /// How long the node's channel information is cached.
    public var memory = Duration.seconds(3)

    /// The defaults.
    public init() {}

    /// Limits for the JSON of a response: a node with a thousand channels reports a lot about each.
    public var json: JSONLimits {
        JSONLimits(maximumBytes: maximumAnswerBytes, maximumDepth: 16, maximumMembers: 400_000)
    }
}
