package import Bolt12
package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// The fixture of a backend's tests: a node, real or fake, whose other side the tests control.
///
/// A fixture is used for one rule only; its node has not made any invoice yet.
package protocol BackendFixture: Sendable {
    /// A new connection to the node, as after a restart of the responder. The node keeps running.
    func connect() async throws -> any ReceiveBackend

    /// The node's time, which decides what has expired.
    var now: UnixTime { get async }

    /// Advances that time.
    func advance(seconds: UInt64) async throws

    /// Pays an invoice; returns once the node has accepted the payment.
    ///
    /// - Throws: anything, when the node rejects it.
    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws

    /// Pays an offer of the node's own. Only for nodes with `BackendCapabilities.Offers.ownOffers`.
    func pay(_ offer: Offer, _ amount: Millisatoshi) async throws

    /// Stops the node, so that nothing answers; false when that is not possible.
    func stop() async throws -> Bool

    /// Restarts it unchanged.
    func start() async throws

    /// Resets the node's database, as when it is rebuilt with the same key: it knows no invoice and counts settlements
    /// from the start; false when that is not possible, or settlements are not counted.
    func rebuild() async throws -> Bool

    /// Replaces the node's channels with a peer by some that can send so much; false for a node that does not tell.
    func openChannels(to peer: PublicKey, sendable: [Millisatoshi], isConnected: Bool) async throws -> Bool

    /// Makes the node, or the connection to it, fail in some way, or work again; false when it cannot fail that way.
    func set(_ trouble: NodeTrouble?) async throws -> Bool
}

extension BackendFixture {
    /// A node without offers.
    package func pay(_ offer: Offer, _ amount: Millisatoshi) async throws { throw BackendFault.unsupported }

    /// A node that cannot be stopped.
    package func stop() async throws -> Bool { false }

    /// Nothing, for a node that cannot be stopped.
    package func start() async throws {}

    /// A node whose database cannot be reset.
    package func rebuild() async throws -> Bool { false }

    /// A node that does not tell.
    package func openChannels(to peer: PublicKey, sendable: [Millisatoshi], isConnected: Bool) async throws -> Bool {
        false
    }

    /// A node that cannot fail.
    package func set(_ trouble: NodeTrouble?) async throws -> Bool { false }
}
