import LightningCrypto
import Platform
import NIOCore
import NIOEmbedded
import OnionMessages
import Testing

@testable import OnionPeer

@Suite("A misbehaving peer", .timeLimit(.minutes(5)))
struct HostilePeerTests {
    @Test("Garbage instead of a handshake closes the connection silently")
    func garbage() throws {
        let peer = try Counterpart()
        try peer.send([UInt8](repeating: 0xab, count: 500))
        #expect(peer.told == [.ended(.transport(.handshake(.version(.one, found: 0xab))))])
        #expect(try peer.receivedBytes().isEmpty)
        #expect(!peer.channel.isActive)
    }

    @Test("A handshake with a wrong or invalid key does the same")
    func wrongHandshake() throws {
        let stranger = Counterpart.key(0x51).publicKey
        var peer = try Counterpart()
        let (_, actOne) = try SecureChannel.initiate(
            to: stranger, key: Counterpart.theirKey, ephemeral: Counterpart.key(0x34))
        try peer.send(actOne)
        #expect(peer.told == [.ended(.transport(.handshake(.tag(.one))))])
        peer = try Counterpart()
        try peer.send([0, 4] + [UInt8](repeating: 1, count: 48))
        #expect(peer.told == [.ended(.transport(.handshake(.key(.one))))])
    }

    @Test("Half a handshake times out after fifteen seconds", arguments: [0, 1, 49])
    func halfHandshake(count: Int) throws {
        let peer = try Counterpart()
        if count > 0 { try peer.send([UInt8](repeating: 0, count: count)) }
        peer.channel.embeddedEventLoop.advanceTime(by: .milliseconds(14_999))
        #expect(peer.told.isEmpty)
        peer.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(peer.told == [.ended(.openingTooSlow)])
        #expect(!peer.channel.isActive)
    }

    @Test("A handshake without an init times out after fifteen seconds")
    func noInit() throws {
        var peer = try Counterpart()
        try peer.shakeHands()
        peer.channel.embeddedEventLoop.advanceTime(by: .seconds(15))
        #expect(peer.told == [.ended(.openingTooSlow)])
    }

    @Test("Frames that arrive in single bytes, or many at once, are decoded the same")
    func pieces() throws {
        var peer = try Counterpart()
        try peer.open()
        let one = try peer.frame(PeerMessage.onionMessage([1]).bytes)
        let two = try peer.frame(PeerMessage.onionMessage([2]).bytes)
        let three = try peer.frame(PeerMessage.onionMessage([3]).bytes)
        for byte in one { try peer.send([byte]) }
        try peer.send(two + three)
        #expect(
            peer.told == [.opened(Counterpart.theirKey.publicKey), .arrived([1]), .arrived([2]), .arrived([3])])
    }

    @Test(
        "Frames that never align with segments leave no memory held",
        arguments: [(400, 1_024), (65_533, 262_144)])
    func memory(count: Int, capacity: Int) throws {
        var limits = PeerLimits()
        limits.reading = nil
        var peer = try Counterpart(limits: limits)
        try peer.open()
        let handler = try peer.channel.pipeline.syncOperations.handler(type: PeerHandler.self)
        let message = [0xff, 0xff] + [UInt8](repeating: 0, count: count)
        var rest = try peer.frame(message)
        for _ in 0..<200 {
            let next = try peer.frame(message)
            try peer.send(rest + next.prefix(1))
            rest = Array(next.dropFirst())
            #expect(handler.received?.capacity ?? 0 <= capacity)
        }
        try peer.send(rest)
        #expect(handler.received == nil)
        #expect(peer.told.count == 202)
    }

    @Test("A peer that sends more than a megabyte at once is read later, and stays connected")
    func flood() throws {
        var peer = try Counterpart()
        try peer.open()
        var reads: Bool? { peer.channel.options.lazy.compactMap { $0.value as? Bool }.last }
        let message = [0xff, 0xff] + [UInt8](repeating: 0, count: 65_533)
        for _ in 0..<15 { try peer.send(peer.frame(message)) }
        #expect(reads == nil)
        try peer.send(peer.frame(message))
        #expect(reads == false)
        try peer.send(peer.frame(message))
        #expect(reads == false)
        // 17 messages of 65,535 bytes exceed a million by 114,095.
        peer.channel.embeddedEventLoop.advanceTime(by: .milliseconds(114))
        #expect(reads == false)
        peer.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(reads == true)
        #expect(peer.channel.isActive)
    }

    @Test("Half a frame keeps the connection until a ping goes unanswered")
    func halfFrame() throws {
        var peer = try Counterpart()
        try peer.open()
        try peer.send(Array(peer.frame(PeerMessage.onionMessage([1]).bytes).dropLast()))
        peer.channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(try peer.receivedMessages() == [.ping(pongCount: 1, padding: 0)])
        peer.channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(peer.told.last == .ended(.noPong))
    }

    @Test("A wrong tag, on a length or a message, closes the connection silently", arguments: [0, 17, 18, 30])
    func wrongTag(position: Int) throws {
        var peer = try Counterpart()
        try peer.open()
        var frame = try peer.frame(PeerMessage.onionMessage([1]).bytes)
        frame[position] ^= 1
        try peer.send(frame)
        #expect(peer.told.last == .ended(.transport(.tag)))
        #expect(try peer.receivedBytes().isEmpty)
        #expect(!peer.channel.isActive)
    }

    @Test("A million pings do not get a million pongs")
    func pings() throws {
        var peer = try Counterpart()
        try peer.open()
        var sent = 0
        while peer.channel.isActive, sent < 1_000_000 {
            try peer.send(peer.frame(PeerMessage.ping(pongCount: 65_531, padding: 0).bytes))
            sent += 1
        }
        #expect(peer.told.last == .ended(.tooManyPings))
        #expect(sent == 31)
        #expect(try peer.receivedMessages() == [PeerMessage](repeating: .pong(count: 65_531), count: 30))
    }

    @Test("Bytes after an error, in the same segment, are ignored")
    func afterError() throws {
        var peer = try Counterpart()
        try peer.open()
        let bytes =
            try peer.frame(PeerMessage.error(PeerNotice("over")).bytes)
            + peer.frame(PeerMessage.onionMessage([1]).bytes)
            + peer.frame(PeerMessage.ping(pongCount: 1, padding: 0).bytes)
        try peer.send(bytes)
        #expect(peer.told == [.opened(Counterpart.theirKey.publicKey), .ended(.error("over"))])
        #expect(try peer.receivedBytes().isEmpty)
    }

    @Test(
        "Messages of 65535 bytes are read, whatever their type",
        arguments: [
            (513, Told.arrived([UInt8](repeating: 0, count: 65_533))), (257, .dropped(.gossip)),
            (32, .dropped(.channel)), (65_535, .dropped(.unknown)),
        ] as [(UInt16, Told)])
    func longest(type: UInt16, told: Told) throws {
        var peer = try Counterpart()
        try peer.open()
        let message = [UInt8(type >> 8), UInt8(type & 255)] + [UInt8](repeating: 0, count: 65_533)
        let frame = try peer.frame(message)
        #expect(frame.count == 65_569)
        for start in stride(from: 0, to: frame.count, by: 1_000) {
            try peer.send(Array(frame[start..<min(start + 1_000, frame.count)]))
        }
        #expect(peer.told.last == told)
        #expect(peer.channel.isActive)
    }

    @Test("An unknown even type gets an error, and the connection closes")
    func unknownEven() throws {
        var peer = try Counterpart()
        try peer.open()
        try peer.send(peer.frame([0x02, 0x00]))
        let fault = PeerMessageFault.unknownEven(PeerMessageType(512))
        #expect(try peer.receivedMessages() == [.warning(PeerNotice("type 512 is unknown"))])
        #expect(peer.told.last == .ended(.message(fault)))
        #expect(!peer.channel.isActive)
    }

    @Test("An onion message beyond the capacity is dropped and counted")
    func busy() throws {
        var peer = try Counterpart(isBusy: true)
        try peer.open()
        try peer.send(peer.frame(PeerMessage.onionMessage([1]).bytes))
        #expect(peer.told.last == .dropped(.busy))
        #expect(peer.link.withLock { $0?.traffic.onionsIn } == 1)
        #expect(peer.link.withLock { $0?.traffic.dropped } == [.busy: 1])
    }
}

@Suite("An open connection", .timeLimit(.minutes(5)))
struct OpenConnectionTests {
    @Test("It reports when it opens, counts its traffic, and reports when the peer closes it")
    func life() throws {
        var peer = try Counterpart()
        try peer.open()
        let link = try #require(peer.link.withLock { $0 })
        #expect(link.remote == Counterpart.theirKey.publicKey && link.own == Counterpart.ownKey)
        #expect(link.isIncoming && link.host == "here" && link.features == .ofMessenger)
        try peer.send(peer.frame(PeerMessage.onionMessage([1, 2, 3]).bytes))
        link.send([4, 5])
        peer.channel.embeddedEventLoop.run()
        #expect(try peer.receivedMessages() == [.onionMessage([4, 5])])
        #expect(link.traffic.onionsIn == 1 && link.traffic.onionsOut == 1)
        // Handshake, a 45-byte init, and the 5-byte message.
        #expect(link.traffic.bytesIn == 50 + 66 + (18 + 45 + 16) + (18 + 5 + 16))
        #expect(link.traffic.bytesOut == 50 + (18 + 45 + 16) + (18 + 4 + 16))
        try peer.channel.close().wait()
        #expect(
            peer.told == [
                .opened(link.remote), .arrived([1, 2, 3]), .departed, .ended(.closedByPeer),
            ])
    }

    @Test("Messages beyond the burst are queued, and sent when due")
    func pace() throws {
        var peer = try Counterpart()
        try peer.open()
        let link = try #require(peer.link.withLock { $0 })
        for number in 0..<5 { link.send([UInt8(number)]) }
        #expect(link.waiting == 5)
        peer.channel.embeddedEventLoop.run()
        #expect(try peer.receivedMessages() == (0..<3).map { .onionMessage([$0]) })
        #expect(link.waiting == 2)
        peer.channel.embeddedEventLoop.advanceTime(by: .milliseconds(250))
        #expect(try peer.receivedMessages() == [])
        peer.channel.embeddedEventLoop.advanceTime(by: .milliseconds(20))
        #expect(try peer.receivedMessages() == [.onionMessage([3])])
        peer.channel.embeddedEventLoop.advanceTime(by: .milliseconds(270))
        #expect(try peer.receivedMessages() == [.onionMessage([4])])
        #expect(link.waiting == 0)
    }

    @Test("It finishes when its queue is sent, and ends once")
    func finishing() throws {
        var peer = try Counterpart()
        try peer.open()
        let link = try #require(peer.link.withLock { $0 })
        for number in 0..<5 { link.send([UInt8(number)]) }
        link.finish()
        peer.channel.embeddedEventLoop.run()
        #expect(try peer.receivedMessages() == (0..<3).map { .onionMessage([$0]) })
        #expect(peer.channel.isActive)
        for number: UInt8 in 3..<5 {
            peer.channel.embeddedEventLoop.advanceTime(by: .milliseconds(262))
            #expect(try peer.receivedMessages() == [.onionMessage([number])])
        }
        #expect(peer.told.last == .ended(.closedByUs))
        #expect(!peer.channel.isActive)
    }

    @Test("Closing it locally ends it once")
    func closing() throws {
        var peer = try Counterpart()
        try peer.open()
        let link = try #require(peer.link.withLock { $0 })
        link.close()
        link.close()
        link.send([1])
        peer.channel.embeddedEventLoop.run()
        #expect(peer.told == [.opened(link.remote), .ended(.closedByUs)])
        #expect(!peer.channel.isActive)
    }

    @Test("An idle connection is pinged every half minute while it answers")
    func idle() throws {
        var peer = try Counterpart()
        try peer.open()
        for _ in 0..<100 {
            peer.channel.embeddedEventLoop.advanceTime(by: .seconds(30))
            #expect(try peer.receivedMessages() == [.ping(pongCount: 1, padding: 0)])
            try peer.send(peer.frame(PeerMessage.pong(count: 1).bytes))
        }
        #expect(peer.told == [.opened(Counterpart.theirKey.publicKey)])
    }
}
