import BlindedPaths
import LightningCoding
import LightningCrypto
import OnionMessages
import Testing

@Suite("Ways over somebody's path", .timeLimit(.minutes(5)))
struct MessageRoutesTests {
    private let content = MessageContent.invoice([4, 5, 6])

    private func routes(
        over path: BlindedPath, peers: [Node], source: Node? = nil,
        lookup: @escaping MessageRoutes.ChannelLookup = { _, _ in nil }
    ) throws -> MessageRoutes {
        try MessageRoutes(
            over: path, from: Node.alice.key, peers: peers.map { try $0.id }, source: source.map { try $0.id },
            lookup: lookup)
    }

    @Test("Where the path begins at a peer, the message goes straight to it")
    func direct() throws {
        let routes = try self.routes(over: path(to: .dave, through: .carol), peers: [.bob, .carol], source: .bob)
        #expect(routes.throughPeers.map(\.firstNode) == [try Node.carol.id])
        #expect(routes.throughPeers.map(\.relay) == [nil])
        #expect(routes.afterConnecting == nil)
        let message = try routes.throughPeers[0].message(content, random: counting())
        let (received, way) = try deliver(message, to: .carol)
        #expect(way == [.carol, .dave])
        #expect(received == ReceivedMessage(pathID: SecretBytes([7]), replyPath: nil, content: content))
    }

    @Test(
        "Else it goes through the peer that brought the question, then the others, and last over a connection to be made"
    )
    func order() throws {
        let routes = try self.routes(over: path(to: .dave), peers: [.bob, .carol], source: .carol)
        #expect(routes.throughPeers.map(\.firstNode) == [try Node.carol.id, try Node.bob.id])
        #expect(routes.afterConnecting?.firstNode == (try Node.dave.id))
    }

    @Test("A source that is no peer any more is no way")
    func formerSource() throws {
        let routes = try self.routes(over: path(to: .dave), peers: [.bob], source: .carol)
        #expect(routes.throughPeers.map(\.firstNode) == [try Node.bob.id])
    }

    @Test("Without peers only a connection to be made is left")
    func noPeers() throws {
        let routes = try self.routes(over: path(to: .dave, through: .carol), peers: [])
        #expect(routes.throughPeers.isEmpty)
        #expect(routes.afterConnecting?.firstNode == (try Node.carol.id))
    }

    @Test("Our own hop before the path leads into it, by the path key with which it begins")
    func ownHop() throws {
        let path = try path(to: .dave, through: .carol)
        let route = try routes(over: path, peers: [.bob]).throughPeers[0]
        let message = try route.message(content, random: counting())
        guard case .forward(let next, .node(let carol)) = try message.peeled(by: Node.bob.key) else {
            throw NoSuchNode()
        }
        #expect(carol == (try Node.carol.id))
        #expect(next.pathKey == path.firstPathKey)
        let (received, way) = try deliver(message, to: .bob)
        #expect(way == [.bob, .carol, .dave])
        #expect(received.content == content)
    }

    @Test("A path that begins at ourselves is taken up behind us, dummy hops too")
    func beginsHere() throws {
        for path in [
            try path(to: .dave, through: .alice, .carol), try path(to: .dave, through: .alice, .alice, .carol),
        ] {
            let route = try routes(over: path, peers: [.carol]).throughPeers[0]
            #expect(route.relay == nil)
            let (received, way) = try deliver(route.message(content, random: counting()), to: .carol)
            #expect(way == [.carol, .dave])
            #expect(received.pathID == SecretBytes([7]))
        }
    }

    @Test("A path that begins at ourselves and is not ours to read leads nowhere")
    func notOurs() throws {
        let path = try path(to: .dave, through: .carol)
        let claimed = try BlindedPath(
            introductionNode: .node(Node.alice.id), firstPathKey: path.firstPathKey, hops: path.hops)
        #expect(throws: MessageRoutes.Fault.path(.recipientData(.undecryptable))) {
            try routes(over: claimed, peers: [.carol])
        }
    }

    @Test("A path that ends at ourselves is no way to anybody")
    func endsHere() throws {
        #expect(throws: MessageRoutes.Fault.endsHere) { try routes(over: path(to: .alice), peers: [.bob]) }
        #expect(throws: MessageRoutes.Fault.endsHere) {
            try routes(over: path(to: .alice, dummyHops: 3), peers: [.bob])
        }
    }

    @Test("A path that leads to ourselves again and again is a loop")
    func loop() throws {
        let path = try path(to: .alice, dummyHops: UInt8(OnionMessage.maximumOwnHops) + 1)
        #expect(throws: MessageRoutes.Fault.path(.loop)) { try routes(over: path, peers: [.bob]) }
    }

    @Test("A path that begins at a channel needs somebody who knows the channel")
    func channel() throws {
        let known = ShortChannelID(42)
        let plain = try path(to: .dave, through: .carol)
        let path = try BlindedPath(
            introductionNode: .channel(known, direction: .node2), firstPathKey: plain.firstPathKey, hops: plain.hops)
        #expect(throws: MessageRoutes.Fault.unknownChannel(known)) { try routes(over: path, peers: [.carol]) }
        let carol = try Node.carol.id
        let found = try routes(over: path, peers: [.carol]) { channel, direction in
            channel == known && direction == .node2 ? carol : nil
        }
        #expect(found.throughPeers.map(\.firstNode) == [carol])
    }

    @Test("A path of as many hops as may be is gone, one of more is not")
    func tooManyHops() throws {
        let most = UInt8(MessageRoutes.maximumHops)
        let routes = try self.routes(over: path(to: .dave, dummyHops: most - 1), peers: [.bob])
        #expect(try routes.throughPeers[0].message(content, random: counting()).packet.payloads.count == 32768)
        #expect(throws: MessageRoutes.Fault.tooManyHops) {
            try self.routes(over: path(to: .dave, dummyHops: most), peers: [.bob])
        }
    }

    @Test("Without randomness no message is made")
    func noRandomness() throws {
        let route = try routes(over: path(to: .dave), peers: [.bob]).throughPeers[0]
        #expect(throws: OnionBuildingFault.noRandomness) {
            try route.message(content) { _ throws(CryptoFault) in throw .entropyUnavailable }
        }
    }
}

@Suite("Questions", .timeLimit(.minutes(5)))
struct MessageQuestionTests {
    private let question: MessageQuestion
    private let answer = MessageContent.invoice([9])

    init() throws {
        let route = try MessageRoutes(
            over: path(to: .dave, through: .carol), from: Node.alice.key, peers: [Node.bob.id]
        ).throughPeers[0]
        question = try MessageQuestion(
            .invoiceRequest([1]), over: route, answerThrough: Node.bob.id, to: Node.alice.key, random: counting())
    }

    private func received() throws -> ReceivedMessage {
        let (received, way) = try deliver(question.message, to: .bob)
        #expect(way == [.bob, .carol, .dave])
        return received
    }

    @Test("The answer finds its way back, and its question knows it")
    func roundTrip() throws {
        let received = try received()
        #expect(question.firstNode == (try Node.bob.id))
        #expect(received.content == .invoiceRequest([1]))
        let routes = try MessageRoutes(
            over: #require(received.replyPath), from: Node.dave.key, peers: [Node.carol.id], source: Node.carol.id)
        var message = try routes.throughPeers[0].message(answer, random: counting(from: 9))
        for node in [Node.carol, .bob] {
            guard case .forward(let next, _) = try message.peeled(by: node.key) else { throw NoSuchNode() }
            #expect(question.answer(in: message) == nil)
            message = next
        }
        #expect(question.answer(in: message) == answer)
    }

    @Test("Messages over other paths to us answer nothing")
    func otherPath() throws {
        for pathID in [nil, SecretBytes([7]), SecretBytes(filled(0))] {
            let message = try OnionMessage(
                over: path(to: .alice, pathID: pathID), content: answer, sessionKey: SecretKey(filled(3)))
            #expect(question.answer(in: message) == nil)
        }
    }

    @Test("Each question has a way back of its own")
    func fresh() throws {
        let back = try #require(try received().replyPath)
        let route = try MessageRoutes(over: path(to: .dave), from: Node.alice.key, peers: [Node.dave.id])
            .throughPeers[0]
        let other = try MessageQuestion(
            .invoiceRequest([1]), over: route, answerThrough: Node.bob.id, to: Node.alice.key,
            random: counting(from: 50))
        var message = try OnionMessage(over: back, content: answer, sessionKey: SecretKey(filled(3)))
        guard case .forward(let next, _) = try message.peeled(by: Node.bob.key) else { throw NoSuchNode() }
        message = next
        #expect(question.answer(in: message) == answer)
        #expect(other.answer(in: message) == nil)
    }
}
