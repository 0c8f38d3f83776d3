import LightningCoding

/// Limits of the calls to a node.
public struct CommandLimits: Sendable {
    /// The longest response that is read, in bytes. A node with hundreds of channels sends a megabyte.
    public var maximumAnswerBytes = 8 << 20
    /// The maximum nesting depth of a response.
    public var maximumDepth = 24
    /// The maximum number of array elements and object members of a response.
    public var maximumMembers = 400_000
    /// The maximum number of pending commands; more are rejected at once. An abandoned command counts until the node
    /// has responded to it.
    public var maximumPending = 128
    /// How many of those may wait for an event, such as the next settlement.
    public var maximumPendingEvents = 16
    /// How long connecting may take.
    public var connectTimeout = Duration.seconds(5)
    /// How long a response may take.
    public var answerTimeout = Duration.seconds(10)
    /// How long one `waitanyinvoice` call waits for the next settlement before it is repeated.
    public var settlementWait = Duration.seconds(30)
    /// How long the node's channels and height are cached.
    public var memory = Duration.seconds(3)

    /// The defaults.
    public init() {}

    var json: JSONLimits {
        JSONLimits(
            maximumBytes: maximumAnswerBytes, maximumDepth: maximumDepth, maximumMembers: maximumMembers)
    }
}
