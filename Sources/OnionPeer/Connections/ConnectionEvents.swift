import LightningCrypto

/// What a connection asks and tells, on its event loop.
struct ConnectionEvents: Sendable {
    /// Whether a node may come in, once it is known who it is; else why not.
    var refusal: @Sendable (PublicKey) -> ConnectionEnd? = { _ in nil }
    /// It is open.
    var opened: @Sendable (PeerLink) -> Void
    /// An onion message has arrived: what follows its type. False when nobody can take it now.
    var arrived: @Sendable (PeerLink, [UInt8]) -> Bool
    /// An onion message has left.
    var departed: @Sendable () -> Void = {}
    /// Something went nowhere.
    var dropped: @Sendable (DropReason) -> Void = { _ in }
    /// It has ended. The node is nil when it never said who it is; the link when it was never open.
    var ended: @Sendable (PublicKey?, PeerLink?, ConnectionEnd) -> Void
}
