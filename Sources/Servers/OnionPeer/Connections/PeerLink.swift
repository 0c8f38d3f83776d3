package import LightningCrypto
import Platform
import NIOCore
package import OnionMessages

/// An open connection with a node. It ends when closed, not when the last reference is released.
package final class PeerLink: Sendable {
    package let remote: PublicKey
    /// The key by which the other end knows us.
    package let own: SecretKey
    package let features: PeerFeatures
    package let isIncoming: Bool
    package let host: String
    /// That of a peer who has connected to us; nil for one from this machine, and for one to whom we have connected.
    let network: ClientNetwork?

    let meter: TrafficMeter
    private let channel: any Channel
    private let deliver: @Sendable (ConnectionLife.Event) -> Void

    init(
        remote: PublicKey, own: SecretKey, features: PeerFeatures, isIncoming: Bool, host: String,
        network: ClientNetwork?, meter: TrafficMeter, channel: any Channel,
        deliver: @escaping @Sendable (ConnectionLife.Event) -> Void
    ) {
        self.remote = remote
        self.own = own
        self.features = features
        self.isIncoming = isIncoming
        self.host = host
        self.network = network
        self.meter = meter
        self.channel = channel
        self.deliver = deliver
    }

    package var traffic: PeerTraffic { meter.traffic }

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

    package func close() {
        channel.eventLoop.execute { [deliver] in deliver(.close) }
    }
}
