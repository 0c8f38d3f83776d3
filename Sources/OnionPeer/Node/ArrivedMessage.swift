/// An onion message that a peer has handed us.
public struct ArrivedMessage: Sendable {
    /// What follows the type of the message, unread.
    public let body: [UInt8]
    /// The connection over which it came.
    public let link: PeerLink
    /// When it came.
    public let arrivedAt: ContinuousClock.Instant

    /// A message as it came.
    public init(body: [UInt8], link: PeerLink, arrivedAt: ContinuousClock.Instant = .now) {
        self.body = body
        self.link = link
        self.arrivedAt = arrivedAt
    }
}
