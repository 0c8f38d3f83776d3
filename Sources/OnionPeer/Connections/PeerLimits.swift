public import RateLimiting

/// What one connection may cost and must give. Where a rate is nil there is no limit.
public struct PeerLimits: Hashable, Sendable {
    /// How long a connection, a handshake and the first message may take together.
    public var opening: Duration = .seconds(15)
    /// After how long without a ping of ours the next one is sent. Other implementations hang up after a minute of silence.
    public var pingInterval: Duration = .seconds(30)
    /// How long the answer to a ping may take.
    public var pongTime: Duration = .seconds(30)

    /// How often a peer may ping. LDK does it every ten seconds, all others less often.
    public var pings = RateLimit(burst: 30, interval: .seconds(1))
    /// How many onion messages are taken from a peer.
    public var arrivals = RateLimit(burst: 100, interval: .milliseconds(20))

    /// How many bytes are read from a peer: a megabyte at once, then one a second, as in Core Lightning (pull request 8983), which
    /// sends no more either when it tells of the network. Who sends more is read later, and keeps the connection: LDK stops
    /// reading, too, from peers that send more than it can work off. A message counts as at least `smallestMessage`.
    public var reading = RateLimit(burst: 1_000_000, interval: .microseconds(1))
    /// As how many bytes a shorter message counts: it costs as much time to read.
    public var smallestMessage = 256

    /// How many onion messages are sent to a peer. Core Lightning takes four at once, then one in 250 ms, and drops the rest;
    /// a little less is sent, since messages may arrive closer to each other than they left.
    public var departures = RateLimit(burst: 3, interval: .milliseconds(262))
    /// How many onion messages may wait for their turn; what is above is shed. An answer that waits longer than this takes
    /// would come too late.
    public var departureQueue = 16

    /// The usual limits.
    public init() {}
}
