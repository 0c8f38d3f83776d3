public import LightningCrypto
import Platform
import NIOCore
public import OnionMessages

/// An open connection with a node. It ends when somebody closes it, not when the last reference goes.
public final class PeerLink: Sendable {
    /// The node at the other end; it has proved that it is that one.
    public let remote: PublicKey
    /// The key by which the other end knows us.
    public let own: SecretKey
    /// What the other end says that it offers.
    public let features: PeerFeatures
    /// Whether the other end has opened the connection.
    public let isIncoming: Bool
    /// Where the other end was reached, or whence it came.
    public let host: String

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

    /// What has passed so far.
    public var traffic: PeerTraffic { meter.traffic }

    /// How many onion messages wait for their turn.
    public var waiting: Int { meter.waiting }

    /// Sends an onion message as soon as the pace that the peer bears allows it; when too many wait already, it is dropped.
    ///
    /// - Parameter body: what follows the type of the message.
    public func send(_ body: [UInt8]) {
        meter.expectOne()
        channel.eventLoop.execute { [deliver] in deliver(.send(body)) }
    }

    /// Ends the connection once everything has left that waits to be sent.
    public func finish() {
        channel.eventLoop.execute { [deliver] in deliver(.finish) }
    }

    /// Returns when the connection has ended.
    func ended() async {
        try? await channel.closeFuture.get()
    }

    /// Ends the connection.
    public func close() {
        channel.eventLoop.execute { [deliver] in deliver(.close) }
    }
}
