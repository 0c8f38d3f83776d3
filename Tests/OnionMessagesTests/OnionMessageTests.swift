import LightningCoding
import LightningCrypto
import OnionMessages
import Testing

// Exact packets, messages and refusals stand in Vectors/bolt-04.

@Suite("Onion messages on their way", .timeLimit(.minutes(5)))
struct OnionMessageTests {
    private let content = MessageContent.invoiceRequest([1, 2, 3])
    private let sessionKey: SecretKey

    init() throws {
        sessionKey = try SecretKey(filled(3))
    }

    @Test("Each node finds the next one, and the last one what it was sent", arguments: OnionPacket.Size.allCases)
    func way(size: OnionPacket.Size) throws {
        let back = try path(to: .alice, through: .dave, secret: 2)
        let message = try OnionMessage(
            over: path(to: .dave, through: .bob, .carol), content: content, replyPath: back, size: size,
            sessionKey: sessionKey)
        let (received, way) = try deliver(message, to: .bob)
        #expect(way == [.bob, .carol, .dave])
        #expect(received == ReceivedMessage(pathID: SecretBytes([7]), replyPath: back, content: content))
        #expect(message.packet.payloads.count == size.rawValue)
    }

    @Test("A node that is not meant cannot peel")
    func stranger() throws {
        let message = try OnionMessage(over: path(to: .dave, through: .bob), content: content, sessionKey: sessionKey)
        #expect(throws: OnionFault.badAuthenticationCode) { try message.peeled(by: Node.dave.key) }
    }

    @Test("The packet stays as long on its whole way, and no key comes twice")
    func indistinct() throws {
        var message = try OnionMessage(
            over: path(to: .dave, through: .bob, .carol), content: content, sessionKey: sessionKey)
        var keys: Set<PublicKey> = [message.packet.publicKey, message.pathKey]
        for node in [Node.bob, .carol] {
            guard case .forward(let next, _) = try message.peeled(by: node.key) else { throw NoSuchNode() }
            #expect(next.body.count == message.body.count)
            keys.formUnion([next.packet.publicKey, next.pathKey])
            message = next
        }
        #expect(keys.count == 6)
    }

    @Test("A message leads a node to itself so often, and no more")
    func loop() throws {
        let most = UInt8(OnionMessage.maximumOwnHops)
        let message = try OnionMessage(
            over: path(to: .dave, dummyHops: most), content: content, size: .large, sessionKey: sessionKey)
        guard case .received(let received) = try message.peeled(by: Node.dave.key) else { throw NoSuchNode() }
        #expect(received.content == content)
        let looping = try OnionMessage(
            over: path(to: .dave, dummyHops: most + 1), content: content, size: .large, sessionKey: sessionKey)
        #expect(throws: OnionFault.loop) { try looping.peeled(by: Node.dave.key) }
    }

    @Test("What was written is read again, and nothing shorter", arguments: OnionPacket.Size.allCases)
    func wire(size: OnionPacket.Size) throws {
        let message = try OnionMessage(over: path(to: .dave), content: content, size: size, sessionKey: sessionKey)
        let body = message.body
        #expect(try OnionMessage(body: body[...]) == message)
        #expect(body.count == 33 + 2 + 66 + size.rawValue)
        #expect(throws: OnionFault.tooShort) { try OnionMessage(body: body.dropLast()) }
        // A slice that starts elsewhere than at 0.
        #expect(try OnionMessage(body: ([0x02, 0x01] + body).dropFirst(2)) == message)
    }

    @Test("No bytes at all trap, whatever their number", arguments: [0, 1, 33, 34, 35, 36, 68, 69, 101, 102, 136, 300])
    func garbage(count: Int) throws {
        for byte in UInt8.min...UInt8.max {
            var body = filled(byte, count: count)
            #expect(throws: OnionFault.self) { try OnionMessage(body: body[...]).peeled(by: Node.dave.key) }
            // With a length that fits and a version that is known.
            guard count > 36 else { continue }
            body.replaceSubrange(33..<36, with: [UInt8((count - 35) >> 8), UInt8((count - 35) & 255), 0])
            #expect(throws: OnionFault.self) { try OnionMessage(body: body[...]).peeled(by: Node.dave.key) }
        }
    }

    @Test("Records that repeat a type make no message")
    func repeatedRecords() throws {
        let path = try path(to: .dave)
        #expect(throws: OnionBuildingFault.invalidRecords) {
            try OnionMessage(
                over: path, content: content, unknownRecords: [.init(type: 64, value: [])], sessionKey: sessionKey)
        }
    }
}
