public import Bolt12
public import LightningCoding
public import Contracts

/// What the tests of a backend bring: a node, real or fake, that they can drive from its other side.
///
/// A fixture is used for one rule only; its node has made no invoice yet.
public protocol BackendFixture: Sendable {
    /// A new connection to the node, as after a restart of the responder. The node itself goes on.
    func connect() async throws -> any ReceiveBackend

    /// The time by which the node decides what has expired.
    var now: UnixTime { get async }

    /// Moves that time on.
    func advance(seconds: UInt64) async throws

    /// Plays a payer who sends that amount; returns once the node has taken the payment.
    ///
    /// - Throws: anything, when the node does not take it.
    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws

    /// Plays a payer of an offer of the node's own. Only for nodes with `BackendCapabilities.Offers.ownOffers`.
    func pay(_ offer: Offer, _ amount: Millisatoshi) async throws

    /// Takes the node away, so that nothing answers; false when this node cannot go.
    func stop() async throws -> Bool

    /// Brings it back as it was.
    func start() async throws

    /// Takes the node's database away, as when it is built again with the same key: it knows no invoice, and counts its settlements
    /// from the start; false when this node cannot do that, or does not count them.
    func rebuild() async throws -> Bool

    /// Puts the node, or the way to it, into trouble, or out of any; false when it cannot be in that trouble.
    func set(_ trouble: NodeTrouble?) async throws -> Bool
}

extension BackendFixture {
    /// A node without offers.
    public func pay(_ offer: Offer, _ amount: Millisatoshi) async throws { throw BackendFault.unsupported }

    /// A node that is always there.
    public func stop() async throws -> Bool { false }

    /// Nothing, for a node that is always there.
    public func start() async throws {}

    /// A node whose database stays.
    public func rebuild() async throws -> Bool { false }

    /// A node that is always well.
    public func set(_ trouble: NodeTrouble?) async throws -> Bool { false }
}
