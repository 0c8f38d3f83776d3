import LightningCrypto

/// A connection's callbacks, on its event loop.
struct ConnectionEvents: Sendable {
    /// Why a node is refused, once its identity is known; nil when it is admitted.
    var refusal: @Sendable (PublicKey) -> ConnectionEnd? = { _ in nil }
    /// The connection is open.
    var opened: @Sendable (PeerLink) -> Void
    /// An onion message arrived: its bytes after the type. False when it cannot be taken now.
    var arrived: @Sendable (PeerLink, [UInt8]) -> Bool
    /// An onion message was sent.
    var departed: @Sendable () -> Void = {}
    /// A message was dropped.
    var dropped: @Sendable (DropReason) -> Void = { _ in }
    /// The connection ended. The node is nil when it was never identified; the link when it was never open.
    var ended: @Sendable (PublicKey?, PeerLink?, ConnectionEnd) -> Void
}
