import NIOCore
import Platform

/// The open connections of each client network, of which none may have all.
struct ClientSockets: Sendable {
    private let slots: SharedSlots
    private let trustedProxies: [NetworkPrefix]

    /// A client may have some, however few there are in all: browsers open six.
    private static let least = 8 * 8

    /// - Parameters:
    ///   - connections: how many the listener accepts.
    ///   - trustedProxies: those over whose connections others come; they have no share.
    init(_ connections: Int, trusting trustedProxies: [NetworkPrefix]) {
        slots = SharedSlots(max(connections, Self.least))
        self.trustedProxies = trustedProxies
    }

    /// Takes a place for a connection; nil for one that needs none.
    func take(for client: ClientConnection) throws(SharedSlots.Refusal) -> SharedSlots.Slot? {
        if let peer = client.peer, trustedProxies.contains(where: { $0.contains(peer) }) { return nil }
        return try slots.take(for: ClientNetwork(client.peer))
    }
}
