import LightningCoding
import LightningCrypto
import NIOCore
import NIOPosix
import OnionMessages

/// A misbehaving peer on a real socket.
struct HostileClient {
    private let address: PeerAddress
    private let key: SecretKey

    init(at address: PeerAddress, as key: SecretKey) {
        self.address = address
        self.key = key
    }

    /// Performs the opening, sends a message of an unknown even type, and waits until the other side disconnects.
    func sendUnknownEven() async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: address.host.host, port: Int(address.host.port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        var (secure, opening) = try SecureChannel.initiate(to: address.nodeID, key: key, ephemeral: .random())
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: opening))
            var received = ByteBuffer()
            for try await var bytes in inbound {
                received.writeBuffer(&bytes)
                while let wanted = secure.wanted, let part = received.readBytes(length: wanted) {
                    guard case .established(_, let actThree) = try secure.receive(part) else { continue }
                    let initial = InitialMessage(features: .ofMessenger, chains: [Network.regtest.chainHash])
                    let frames =
                        try actThree + secure.frame(PeerMessage.initialize(initial).bytes) + secure.frame([0x02, 0x00])
                    try await outbound.write(ByteBuffer(bytes: frames))
                }
            }
        }
    }
}
