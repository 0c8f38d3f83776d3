import LightningCrypto
import OnionMessages
import Testing

@Suite("A connection's bytes", .timeLimit(.minutes(5)))
struct SecureChannelTests {
    private static let alice = try? SecretKey([UInt8](repeating: 0x11, count: 32))
    private static let bob = try? SecretKey([UInt8](repeating: 0x21, count: 32))

    /// Two ends whose handshake is done.
    private func pair() throws -> (alice: SecureChannel, bob: SecureChannel) {
        let (aliceKey, bobKey) = (try #require(Self.alice), try #require(Self.bob))
        var (alice, actOne) = try SecureChannel.initiate(to: bobKey.publicKey, key: aliceKey, ephemeral: .random())
        var bob = SecureChannel.answer(key: bobKey, ephemeral: try .random())
        #expect(bob.wanted == 50)
        guard case .send(let actTwo) = try bob.receive(actOne) else { throw Unexpected() }
        #expect(alice.wanted == 50)
        guard case .established(let remote, let actThree) = try alice.receive(actTwo) else { throw Unexpected() }
        #expect(remote == bobKey.publicKey)
        #expect(bob.wanted == 66)
        #expect(try bob.receive(actThree) == .established(aliceKey.publicKey, sendFirst: []))
        return (alice, bob)
    }

    private struct Unexpected: Error {}

    private func deliver(_ frame: [UInt8], to channel: inout SecureChannel) throws -> [UInt8] {
        #expect(channel.wanted == 18)
        #expect(try channel.receive(Array(frame.prefix(18))) == .continued)
        #expect(channel.wanted == frame.count - 18)
        guard case .message(let message) = try channel.receive(Array(frame.dropFirst(18))) else { throw Unexpected() }
        return message
    }

    @Test("Messages pass both ways, through changes of the keys, independently of each other")
    func bothWays() throws {
        var (alice, bob) = try pair()
        for number in 0..<1_300 {
            let message = Array("message \(number)".utf8)
            #expect(try deliver(alice.frame(message), to: &bob) == message)
            guard number % 3 == 0 else { continue }
            #expect(try deliver(bob.frame(message), to: &alice) == message)
        }
    }

    @Test("Messages of 0 and of 65535 bytes pass, one of 65536 does not and costs nothing")
    func lengths() throws {
        var (alice, bob) = try pair()
        #expect(try deliver(alice.frame([UInt8]()), to: &bob).isEmpty)
        #expect(throws: TransportFault.messageTooLong) { try alice.frame([UInt8](repeating: 1, count: 65_536)) }
        let longest = [UInt8](repeating: 2, count: 65_535)
        let frame = try alice.frame(longest)
        #expect(frame.count == 65_569)
        #expect(try deliver(frame, to: &bob) == longest)
    }

    @Test("A frame may be sent while another is half received")
    func interleaved() throws {
        var (alice, bob) = try pair()
        let frame = try alice.frame([1, 2, 3])
        #expect(try bob.receive(Array(frame.prefix(18))) == .continued)
        #expect(try deliver(bob.frame([4]), to: &alice) == [4])
        #expect(try bob.receive(Array(frame.dropFirst(18))) == .message([1, 2, 3]))
    }

    @Test("After a wrong tag the channel takes and gives nothing any more", arguments: [0, 17, 18, 36])
    func wrongTag(position: Int) throws {
        var (alice, bob) = try pair()
        var frame = try alice.frame([1, 2, 3])
        frame[position] ^= 0x80
        #expect(throws: TransportFault.tag) {
            _ = try bob.receive(Array(frame.prefix(18)))
            _ = try bob.receive(Array(frame.dropFirst(18)))
        }
        #expect(bob.wanted == nil)
        #expect(throws: TransportFault.order) { try bob.receive([0]) }
        #expect(throws: TransportFault.order) { try bob.frame([1]) }
    }

    @Test("Bytes of another count than asked for are refused", arguments: [17, 19])
    func wrongCount(count: Int) throws {
        var (alice, bob) = try pair()
        let frame = try alice.frame([1, 2, 3])
        #expect(throws: TransportFault.order) { try bob.receive(Array(frame.prefix(count))) }
        #expect(bob.wanted == nil)
    }

    @Test("Nothing is framed before the handshake is done")
    func tooEarly() throws {
        let key = try #require(Self.bob)
        var (alice, _) = try SecureChannel.initiate(to: key.publicKey, key: key, ephemeral: .random())
        #expect(throws: TransportFault.order) { try alice.frame([1]) }
        #expect(throws: TransportFault.handshake(.length(.two))) { try alice.receive([UInt8](repeating: 0, count: 49)) }
        #expect(alice.wanted == nil)
    }
}
