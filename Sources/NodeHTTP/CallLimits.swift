public import LightningCoding

/// What a node may cost us, and we the node.
public struct CallLimits: Sendable {
    /// How long the node may take to take the connection.
    public var connectTimeout = Duration.seconds(5)
    /// How long a call may take in all, waiting for its turn included.
    public var answerTimeout = Duration.seconds(15)
    /// The longest answer that is read, in bytes.
    public var maximumAnswerBytes = 8 << 20
    /// The longest line of an answer that comes line by line, in bytes. A payer who pays in many parts makes it long, and one that is too
    /// long cannot be passed over.
    public var maximumLineBytes = 8 << 20
    /// How many calls are under way at once.
    public var maximumConcurrency = 16
    /// How many calls may wait for their turn; more are refused at once.
    public var maximumWaiting = 256
    /// For how long the node's word about its channels is good enough.
    public var memory = Duration.seconds(3)

    /// The defaults.
    public init() {}

    /// What the JSON of an answer may hold: a node with a thousand channels says much of each.
    public var json: JSONLimits {
        JSONLimits(maximumBytes: maximumAnswerBytes, maximumDepth: 16, maximumMembers: 400_000)
    }
}
