/// An onion message received from a peer.
public struct ArrivedMessage: Sendable {
    /// The unparsed message after its type.
    public let body: [UInt8]
    /// The connection it came over.
    public let link: PeerLink
    /// When it arrived.
    public let arrivedAt: ContinuousClock.Instant

    /// Creates an arrived message.
    public init(body: [UInt8], link: PeerLink, arrivedAt: ContinuousClock.Instant = .now) {
        self.body = body
        self.link = link
        self.arrivedAt = arrivedAt
    }
}
