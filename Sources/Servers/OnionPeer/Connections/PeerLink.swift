package import LightningCrypto
import Platform
import NIOCore
package import OnionMessages

/// An open connection with a node. It ends when closed, not when the last reference is released.
package final class PeerLink: Sendable {
    /// The authenticated node at the other end.
    package let remote: PublicKey
    /// The key by which the other end knows us.
    package let own: SecretKey
    /// The features that the peer offers.
    package let features: PeerFeatures
    /// Whether the peer opened the connection.
    package let isIncoming: Bool
    /// The peer's address.
    package let host: String

    let meter: TrafficMeter
    private let channel: any Channel
    private let deliver: @Sendable (ConnectionLife.Event) -> Void

    init(
        remote: PublicKey, own: SecretKey, features: PeerFeatures, isIncoming: Bool, host: String,
        meter: TrafficMeter, channel: any Channel, deliver: @escaping @Sendable (ConnectionLife.Event) -> Void
    ) {
        self.remote = remote
        self.own = own
        self.features = features
        self.isIncoming = isIncoming
        self.host = host
        self.meter = meter
        self.channel = channel
        self.deliver = deliver
    }

    package var traffic: PeerTraffic { meter.traffic }

    /// How many onion messages are queued.
    package var waiting: Int { meter.waiting }

    /// Sends an onion message as soon as the peer's rate limit allows; it is dropped when the queue is full.
    ///
    /// - Parameter body: the bytes after the message type.
    package func send(_ body: [UInt8]) {
        meter.expectOne()
        channel.eventLoop.execute { [deliver] in deliver(.send(body)) }
    }

    /// Ends the connection once everything queued is sent.
    package func finish() {
        channel.eventLoop.execute { [deliver] in deliver(.finish) }
    }

    /// Returns once the connection has ended.
    func ended() async {
        try? await channel.closeFuture.get()
    }

    /// Ends the connection.
    package func close() {
        channel.eventLoop.execute { [deliver] in deliver(.close) }
    }
}
