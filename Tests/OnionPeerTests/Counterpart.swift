import LightningCoding
import LightningCrypto
import Platform
import NIOCore
import NIOEmbedded
import OnionMessages

@testable import OnionPeer

/// The callbacks of a connection, in order.
enum Told: Equatable {
    case opened(PublicKey)
    case arrived([UInt8])
    case departed
    case dropped(DropReason)
    case ended(ConnectionEnd)
}

/// A connection without a network: our handler on one side, and a peer controlled by the test.
struct Counterpart {
    static let ownKey = key(0x31)
    static let theirKey = key(0x32)

    let channel = EmbeddedChannel()
    let log = Guarded<[Told]>([])
    let link = Guarded<PeerLink?>(nil)
    private var secure: SecureChannel

    static func key(_ byte: UInt8) -> SecretKey {
        do {
            return try SecretKey([UInt8](repeating: byte, count: 32))
        } catch {
            fatalError("\(error)")
        }
    }

    /// Accepts the peer's connection, before any message.
    init(limits: PeerLimits = PeerLimits(), isBusy: Bool = false) throws {
        let events = ConnectionEvents(
            opened: { [log, link] opened in
                link.withLock { $0 = opened }
                log.withLock { $0.append(.opened(opened.remote)) }
            },
            arrived: { [log] _, body in
                if !isBusy { log.withLock { $0.append(.arrived(body)) } }
                return !isBusy
            },
            departed: { [log] in log.withLock { $0.append(.departed) } },
            dropped: { [log] reason in log.withLock { $0.append(.dropped(reason)) } },
            ended: { [log] _, _, end in log.withLock { $0.append(.ended(end)) } })
        try channel.pipeline.syncOperations.addHandler(
            PeerHandler(
                .responder, key: Self.ownKey, host: "here", network: .regtest, limits: limits, events: events))
        secure = SecureChannel.answer(key: Self.theirKey, ephemeral: Self.key(0x33))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// The callbacks so far.
    var told: [Told] { log.withLock { $0 } }

    /// Sends raw bytes.
    func send(_ bytes: [UInt8]) throws {
        guard channel.isActive else { return }
        try channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    /// The bytes sent to the peer since the last call.
    func receivedBytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }

    /// Performs the handshake, and sends init.
    mutating func open(_ initial: InitialMessage? = nil) throws {
        try shakeHands()
        let usual = InitialMessage(features: .ofMessenger, chains: [Network.regtest.chainHash])
        try send(frame(PeerMessage.initialize(initial ?? usual).bytes))
        guard case .initialize? = try receivedMessages().first else { throw Unexpected() }
    }

    mutating func shakeHands() throws {
        let (initiated, actOne) = try SecureChannel.initiate(
            to: Self.ownKey.publicKey, key: Self.theirKey, ephemeral: Self.key(0x34))
        secure = initiated
        try send(actOne)
        guard case .established(_, let actThree) = try secure.receive(receivedBytes()) else { throw Unexpected() }
        try send(actThree)
    }

    /// The encrypted frame of a message.
    mutating func frame(_ message: [UInt8]) throws -> [UInt8] {
        try secure.frame(message)
    }

    /// The messages sent to the peer since the last call.
    mutating func receivedMessages() throws -> [PeerMessage] {
        var bytes = try receivedBytes()[...]
        var messages: [PeerMessage] = []
        while let wanted = secure.wanted, bytes.count >= wanted {
            if case .message(let message) = try secure.receive(Array(bytes.prefix(wanted))) {
                messages.append(try PeerMessage(message))
            }
            bytes = bytes.dropFirst(wanted)
        }
        return messages
    }

    struct Unexpected: Error {}
}
