/// What one connection may cost and must give. Times are `Duration`s, rates per second.
public struct PeerLimits: Hashable, Sendable {
    /// How long a connection, a handshake and the first message may take together.
    public var opening: Duration = .seconds(15)
    /// After how long without a ping of ours the next one is sent. Other implementations hang up after a minute of silence.
    public var pingInterval: Duration = .seconds(30)
    /// How long the answer to a ping may take.
    public var pongTime: Duration = .seconds(30)

    /// How many pings a peer may send at once.
    public var pingBurst = 30
    /// How many pings a second it may go on with.
    public var pingRate = 1.0

    /// How many onion messages of a peer are taken at once.
    public var arrivalBurst = 100
    /// How many onion messages a second are taken from a peer.
    public var arrivalRate = 50.0

    /// How many onion messages are sent to a peer at once. Core Lightning takes four, and then one in 250 ms; one is left out,
    /// since messages may arrive closer to each other than they left.
    public var departureBurst = 3
    /// How many onion messages a second are sent to a peer. Core Lightning drops what is above four.
    public var departureRate = 3.8
    /// How many onion messages may wait for their turn; what is above is shed. An answer that waits longer than this takes
    /// would come too late.
    public var departureQueue = 16

    /// The usual limits.
    public init() {}
}
