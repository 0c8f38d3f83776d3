import Platform
import EmbeddedNode
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

@Suite("The stream of settlements", .timeLimit(.minutes(5)))
struct StreamTests {
    let fixture = NodeFixture()

    @Test("All of them come in order, over several pages, then each new one at once")
    func fromTheBeginning() async throws {
        let node = try await fixture.start()
        var hashes: [PaymentHash] = []
        for number in 0..<230 { hashes.append(try await pay("\(number)", at: node)) }
        var settlements = node.settlements(after: nil).compactMap { try $0.get() }.makeAsyncIterator()
        for hash in hashes { #expect(try await settlements.next()?.paymentHash == hash) }
        let late = try await pay("late", at: node)
        #expect(try await settlements.next()?.paymentHash == late)
    }

    @Test("A stored cursor goes on behind itself")
    func fromACursor() async throws {
        let node = try await fixture.start()
        for number in 0..<3 { _ = try await pay("\(number)", at: node) }
        var first = node.settlements(after: nil).compactMap { try $0.get() }.makeAsyncIterator()
        _ = try await first.next()
        let second = try await first.next()
        var again = try await fixture.start().settlements(after: second?.cursor).compactMap { try $0.get() }
            .makeAsyncIterator()
        #expect(try await again.next()?.cursor == SettlementCursor("3"))
    }

    @Test("Another node's cursor is refused")
    func foreignCursor() async throws {
        let node = try await fixture.start()
        var settlements = node.settlements(after: SettlementCursor("lnd:7")).compactMap { try $0.get() }
            .makeAsyncIterator()
        await #expect(throws: BackendFault.refused("a cursor of another node")) { try await settlements.next() }
    }

    @Test("A reader who waits is woken by a payment of this process, without a tick")
    func wakes() async throws {
        let node = try await fixture.start()
        async let settlement = Self.first(of: node)
        let hash = try await pay("one", at: node)
        #expect(try await settlement?.paymentHash == hash)
    }

    @Test("A payment of another process comes with the next tick")
    func anotherProcess() async throws {
        let node = try await fixture.start()
        let made = try await node.createInvoice(.sample())
        var settlements = node.settlements(after: nil).compactMap { try $0.get() }.makeAsyncIterator()
        #expect(try await node.status(of: made.paymentHash) == .open)
        let (path, seconds) = (fixture.databasePath, fixture.now.seconds)
        let hash = made.paymentHash.hexadecimal
        await #expect(processExitsWith: .success) {
            [path = path as String, hash = hash as String, seconds = seconds as UInt64] in
            let other = try await EmbeddedBackend(
                EmbeddedConfiguration(databasePath: path), key: NodeFixture.key(), clock: { UnixTime(seconds) }
            )
            try await other.settle(PaymentHash(hexadecimal: hash), at: UnixTime(seconds))
        }
        async let settlement = settlements.next()
        fixture.ticks.continuation.yield()
        #expect(try await settlement?.paymentHash == made.paymentHash)
    }

    @Test("Every reader gets every settlement")
    func severalReaders() async throws {
        let node = try await fixture.start()
        async let first = Self.first(of: node)
        async let second = Self.first(of: node)
        let hash = try await pay("one", at: node)
        #expect(try await [first?.paymentHash, second?.paymentHash] == [hash, hash])
    }

    @Test("A reader who is canceled is done")
    func canceled() async throws {
        let node = try await fixture.start()
        let reader = Task {
            var settlements = node.settlements(after: nil).compactMap { try $0.get() }.makeAsyncIterator()
            return try await settlements.next()
        }
        reader.cancel()
        #expect(try await reader.value == nil)
    }

    @Test("Unless told otherwise it looks for payments of others several times a second, by the real clock")
    func defaultTicks() async throws {
        var pauses: [Duration] = []
        var last = MonotonicTime.now
        for await _ in EmbeddedBackend.sixTimesASecond().prefix(4) {
            let now = MonotonicTime.now
            pauses.append(now - last)
            last = now
        }
        // The shortest, and ten times the interval, since a busy machine makes pauses longer.
        let shortest = try #require(pauses.min())
        #expect((Duration.milliseconds(160)..<Duration.milliseconds(1600)).contains(shortest))
    }

    private static func first(of node: EmbeddedBackend) async throws -> Settlement? {
        var settlements = node.settlements(after: nil).compactMap { try $0.get() }.makeAsyncIterator()
        return try await settlements.next()
    }

    private func pay(_ label: String, at node: EmbeddedBackend) async throws -> PaymentHash {
        let hash = try await node.createInvoice(.sample(label)).paymentHash
        try await node.settle(hash, at: fixture.now)
        return hash
    }
}
