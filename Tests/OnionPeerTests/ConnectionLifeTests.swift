import LightningCoding
import OnionMessages
import Platform
import Testing
@testable import OnionPeer

@Suite("The connection protocol", .timeLimit(.minutes(5)))
struct ConnectionLifeTests {
    private static let start = MonotonicTime.now
    private static let theirs = InitialMessage(features: .ofMessenger, chains: [Network.regtest.chainHash])

    private func silent(_ limits: PeerLimits = PeerLimits()) -> ConnectionLife {
        ConnectionLife(network: .regtest, limits: limits, at: Self.start)
    }

    private func open(
        _ limits: PeerLimits = PeerLimits(), their features: PeerFeatures = .ofMessenger
    ) -> ConnectionLife {
        var life = silent(limits)
        _ = life.on(.established, at: Self.start)
        let initial = InitialMessage(features: features, chains: [Network.regtest.chainHash])
        #expect(life.on(.received(PeerMessage.initialize(initial).bytes), at: Self.start) == [.opened(initial)])
        return life
    }

    @Test("After the handshake, init is sent at once, with one chain")
    func greeting() {
        var life = silent()
        #expect(life.on(.established, at: Self.start) == [.send(.initialize(Self.theirs))])
    }

    @Test("While our chain is unknown none is named, and peers of every chain are accepted")
    func anyChain() {
        for chain in [Network.bitcoin, .regtest] {
            var life = ConnectionLife(network: nil, limits: PeerLimits(), at: Self.start)
            #expect(
                life.on(.established, at: Self.start)
                    == [.send(.initialize(InitialMessage(features: .ofMessenger, chains: nil)))])
            let theirs = InitialMessage(features: .ofMessenger, chains: [chain.chainHash])
            #expect(life.on(.received(PeerMessage.initialize(theirs).bytes), at: Self.start) == [.opened(theirs)])
        }
    }

    @Test("Handshake and init have fifteen seconds together")
    func slowOpening() {
        var life = silent()
        #expect(life.deadline(after: Self.start) == Self.start + .seconds(15))
        #expect(life.on(.time, at: Self.start + .milliseconds(14_999)) == [])
        _ = life.on(.established, at: Self.start + .milliseconds(14_999))
        #expect(life.deadline(after: Self.start) == Self.start + .seconds(15))
        #expect(life.on(.time, at: Self.start + .seconds(15)) == [.close(.openingTooSlow)])
        #expect(life.deadline(after: Self.start + .seconds(15)) == nil)
    }

    @Test(
        "The first message must be init",
        arguments: [
            PeerMessage.ping(pongCount: 1, padding: 0), .onionMessage([1]), .warning(PeerNotice("x")),
            .dropped(PeerMessageType(257)),
        ])
    func firstMessage(message: PeerMessage) {
        var life = silent()
        _ = life.on(.established, at: Self.start)
        #expect(life.on(.received(message.bytes), at: Self.start) == [.close(.noInit)])
    }

    @Test("An error instead of init is reported to the operator")
    func refused() {
        var life = silent()
        _ = life.on(.established, at: Self.start)
        let error = PeerMessage.error(PeerNotice("no room"))
        #expect(life.on(.received(error.bytes), at: Self.start) == [.close(.error("no room"))])
    }

    @Test("A peer that requires an unknown feature, or is on another chain, gets an error and is disconnected")
    func incompatible() {
        var life = silent()
        _ = life.on(.established, at: Self.start)
        let demanding = Array(Self.bytes("0010" + "0000" + "0006" + "010000000000"))
        #expect(
            life.on(.received(demanding), at: Self.start) == [
                .send(.warning(PeerNotice("unknown feature 40"))), .close(.unknownFeature(40)),
            ])
        life = silent()
        _ = life.on(.established, at: Self.start)
        let elsewhere = InitialMessage(features: .ofMessenger, chains: [Network.bitcoin.chainHash])
        #expect(
            life.on(.received(PeerMessage.initialize(elsewhere).bytes), at: Self.start) == [
                .send(.warning(PeerNotice("no common chain"))), .close(.otherNetwork),
            ])
    }

    @Test("A second init ends the connection")
    func secondInit() {
        var life = open()
        #expect(life.on(.received(PeerMessage.initialize(Self.theirs).bytes), at: Self.start) == [.close(.noInit)])
    }

    @Test(
        "A ping is answered at once, with the requested number of bytes",
        arguments: [
            (0, true), (1, true), (65_531, true), (65_532, false), (65_535, false),
        ] as [(UInt16, Bool)])
    func ping(count: UInt16, isAnswered: Bool) {
        var life = open()
        let actions = life.on(.received(PeerMessage.ping(pongCount: count, padding: 3).bytes), at: Self.start)
        #expect(actions == (isAnswered ? [.send(.pong(count: count))] : []))
    }

    @Test("Thirty pings may come at once, then one a second; one more ends the connection")
    func floodOfPings() {
        var life = open()
        let ping = PeerMessage.ping(pongCount: 65_535, padding: 0).bytes
        for _ in 0..<30 { #expect(life.on(.received(ping), at: Self.start) == []) }
        for second in 1..<100 { #expect(life.on(.received(ping), at: Self.start + .seconds(second)) == []) }
        #expect(life.on(.received(ping), at: Self.start + .milliseconds(99_500)) == [.close(.tooManyPings)])
    }

    @Test("After half a minute without pings a ping is sent, and its pong starts the next half minute")
    func keepAlive() {
        var life = open()
        #expect(life.deadline(after: Self.start) == Self.start + .seconds(30))
        #expect(life.on(.time, at: Self.start + .seconds(29)) == [])
        #expect(life.on(.time, at: Self.start + .seconds(30)) == [.send(.ping(pongCount: 1, padding: 0))])
        #expect(life.deadline(after: Self.start + .seconds(30)) == Self.start + .seconds(60))
        #expect(life.on(.received(PeerMessage.pong(count: 1).bytes), at: Self.start + .seconds(31)) == [])
        #expect(life.deadline(after: Self.start + .seconds(31)) == Self.start + .seconds(61))
    }

    @Test("Without its pong the connection ends, whatever else arrives")
    func noPong() {
        var life = open()
        _ = life.on(.time, at: Self.start + .seconds(30))
        #expect(
            life.on(.received(PeerMessage.pong(count: 2).bytes), at: Self.start + .seconds(31)) == [.dropped(.unasked)])
        _ = life.on(.received(PeerMessage.onionMessage([1]).bytes), at: Self.start + .seconds(32))
        #expect(life.on(.time, at: Self.start + .seconds(60)) == [.close(.noPong)])
    }

    @Test("An unsolicited pong is dropped")
    func unaskedPong() {
        var life = open()
        #expect(life.on(.received(PeerMessage.pong(count: 1).bytes), at: Self.start) == [.dropped(.unasked)])
    }

    @Test("Gossip, channel and unknown odd types are dropped; an unknown even one ends the connection with an error")
    func strangers() {
        var life = open()
        #expect(life.on(.received([1, 0, 9, 9]), at: Self.start) == [.dropped(.gossip)])
        #expect(life.on(.received([0, 136, 9, 9]), at: Self.start) == [.dropped(.channel)])
        #expect(life.on(.received([0xff, 0xff]), at: Self.start) == [.dropped(.unknown)])
        let fault = PeerMessageFault.unknownEven(PeerMessageType(512))
        #expect(
            life.on(.received([2, 0]), at: Self.start) == [
                .send(.warning(PeerNotice("type 512 is unknown"))), .close(.message(fault)),
            ])
    }

    @Test("After an error everything that arrives is ignored")
    func afterError() {
        var life = open()
        let error = PeerMessage.error(PeerNotice("go away")).bytes
        #expect(life.on(.received(error), at: Self.start) == [.close(.error("go away"))])
        for message in [PeerMessage.ping(pongCount: 1, padding: 0), .onionMessage([1]), .initialize(Self.theirs)] {
            #expect(life.on(.received(message.bytes), at: Self.start) == [])
        }
        #expect(life.on(.send([1]), at: Self.start) == [])
        #expect(life.on(.time, at: Self.start + .seconds(100)) == [])
    }

    @Test("An error about an unknown channel, and a warning, change nothing")
    func harmlessNotices() {
        var life = open()
        let aboutChannel = Array(Self.bytes("0011" + String(repeating: "01", count: 32) + "0000"))
        #expect(life.on(.received(aboutChannel), at: Self.start) == [.dropped(.channel)])
        let warning = PeerMessage.warning(PeerNotice("Ratelimited onion_message")).bytes
        #expect(life.on(.received(warning), at: Self.start) == [.warned("Ratelimited onion_message")])
        #expect(life.on(.received(PeerMessage.onionMessage([7]).bytes), at: Self.start) == [.deliver([7])])
    }

    @Test("Of a flood of onion messages the first hundred are accepted, then fifty a second")
    func arrivals() {
        var life = open()
        let message = PeerMessage.onionMessage([1, 2]).bytes
        let first = (0..<150).flatMap { _ in life.on(.received(message), at: Self.start) }
        #expect(first.filter { $0 == .deliver([1, 2]) }.count == 100)
        #expect(first.filter { $0 == .dropped(.arrivalRate) }.count == 50)
        let second = (0..<150).flatMap { _ in life.on(.received(message), at: Self.start + .seconds(1)) }
        #expect(second.filter { $0 == .deliver([1, 2]) }.count == 50)
    }

    @Test("Onion messages are sent at the peer's rate, the rest is dropped, and none is sent to peers without support")
    func departures() throws {
        var life = open()
        let sent = (0..<25).flatMap { life.on(.send([UInt8($0)]), at: Self.start) }
        #expect(sent.filter { $0 == .departed }.count == 3)
        #expect(sent.filter { $0 == .dropped(.departureRate) }.count == 6)
        #expect(life.queued == 16)
        let deadline = try #require(life.deadline(after: Self.start))
        #expect(deadline == Self.start + .milliseconds(262))
        #expect(life.on(.time, at: deadline) == [.send(.onionMessage([3])), .departed])
        var deaf = open(their: PeerFeatures(offering: [.staticRemoteKey]))
        #expect(deaf.on(.send([1]), at: Self.start) == [.dropped(.notSupported)])
    }

    @Test("Nothing is sent before the peer's init")
    func tooEarly() {
        var life = silent()
        #expect(life.on(.send([1]), at: Self.start) == [.dropped(.notOpen)])
        _ = life.on(.established, at: Self.start)
        #expect(life.on(.send([1]), at: Self.start) == [.dropped(.notOpen)])
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        (try? Hexadecimal.decode(hexadecimal)) ?? []
    }

    @Test("Every message counts against the reading limit, even ignored ones, and small ones as 256 bytes")
    func reading() throws {
        var limits = PeerLimits()
        limits.reading = RateLimit(burst: 1_024, interval: .milliseconds(1))
        for message in [[0xff, 0xff], [1, 1], PeerMessage.onionMessage([1]).bytes, PeerMessage.pong(count: 9).bytes] {
            var life = open(limits)
            for _ in 0..<4 { #expect(!life.on(.received(message), at: Self.start).contains(.pauseReading)) }
            #expect(life.on(.received(message), at: Self.start).first == .pauseReading)
            #expect(!life.on(.received(message), at: Self.start).contains(.pauseReading))
            #expect(life.deadline(after: Self.start) == Self.start + .milliseconds(512))
            #expect(life.on(.time, at: Self.start + .milliseconds(511)) == [])
            #expect(life.on(.time, at: Self.start + .milliseconds(512)) == [.resumeReading])
            #expect(life.on(.time, at: Self.start + .milliseconds(513)) == [])
        }
    }

    @Test("On finish, queued messages are sent first, and the connection closes when they are written")
    func finishing() throws {
        var limits = PeerLimits()
        limits.departures = RateLimit(burst: 1, interval: .milliseconds(100))
        var life = open(limits)
        for number in 0..<3 { _ = life.on(.send([UInt8(number)]), at: Self.start) }
        #expect(life.on(.finish, at: Self.start) == [])
        let sent = { (number: UInt8) -> [ConnectionLife.Action] in [.send(.onionMessage([number])), .departed] }
        #expect(life.on(.time, at: Self.start + .milliseconds(100)) == sent(1))
        #expect(life.on(.time, at: Self.start + .milliseconds(200)) == sent(2) + [.closeWhenWritten])
        #expect(life.on(.time, at: Self.start + .milliseconds(300)) == [])
        #expect(life.on(.close, at: Self.start + .milliseconds(300)) == [.close(.closedByUs)])
    }

    @Test("With an empty queue, or before opening, finish is immediate")
    func finishingIdle() {
        var life = open()
        #expect(life.on(.finish, at: Self.start) == [.closeWhenWritten])
        life = silent()
        #expect(life.on(.finish, at: Self.start) == [.close(.closedByUs)])
    }
}
