import LightningCoding

/// What a node may cost: every limit of this room.
public struct CommandLimits: Sendable {
    /// The longest answer that is read, in bytes. A node with hundreds of channels has answers of a megabyte.
    public var maximumAnswerBytes = 8 << 20
    /// Arrays and objects within each other in an answer.
    public var maximumDepth = 24
    /// Array elements and object members in an answer.
    public var maximumMembers = 400_000
    /// How many commands wait for an answer at once; one more is refused at once. A command that nobody waits for any more
    /// counts until the node has answered it.
    public var maximumPending = 128
    /// How many of those may be waiting for an event, such as the next settlement.
    public var maximumPendingEvents = 16
    /// How long the connection may take.
    public var connectTimeout = Duration.seconds(5)
    /// How long an answer may take.
    public var answerTimeout = Duration.seconds(10)
    /// How long the node is asked to wait for the next settlement; then it is asked again.
    public var settlementWait = Duration.seconds(30)
    /// For how long what the node says about its channels and its height is taken as still true.
    public var memory = Duration.seconds(3)

    /// The defaults.
    public init() {}

    var json: JSONLimits {
        JSONLimits(
            maximumBytes: maximumAnswerBytes, maximumDepth: maximumDepth, maximumMembers: maximumMembers)
    }
}
