import BackendContract
import Bolt12
import FakeNode
import LightningCoding
import LightningCrypto
import LoopbackServer
import Phoenixd
import Platform
import ResponderModel
import Testing
import Waiting

@Suite("Settlements of phoenixd", .timeLimit(.minutes(5)))
struct SettlementTests {
    private static let start: UInt64 = 1_789_000_000_000

    @Test("A long history comes whole and in order, a page at a time")
    func history() async throws {
        let fixture = try PhoenixdFixture()
        var hashes: [PaymentHash] = []
        for number in 0..<700 {
            // Some far apart, some close together.
            hashes.append(try fixture.node.receive(at: Self.start + UInt64(number * number * 40)))
        }
        let settlements = try await fixture.backend().settlements(700)
        #expect(settlements.map(\.paymentHash) == hashes)
        let sizes = fixture.node.server.requests.filter { $0.path == "/payments/incoming" }.map { $0.query("limit") }
        #expect(Set(sizes) == ["250"])
    }

    @Test("More than a page of one moment is no less whole")
    func oneMoment() async throws {
        let fixture = try PhoenixdFixture()
        var hashes: Set<PaymentHash> = []
        for _ in 0..<600 { hashes.insert(try fixture.node.receive(at: Self.start)) }
        let last = try fixture.node.receive(at: Self.start + 1)
        let settlements = try await fixture.backend().settlements(601)
        #expect(Set(settlements.prefix(600).map(\.paymentHash)) == hashes)
        #expect(settlements.last?.paymentHash == last)
    }

    @Test(
        "On-chain payments, which the node leaves out of a page after it has cut it, hide nothing",
        arguments: [0, 9, 10, 259])
    func onChain(place: Int) async throws {
        let fixture = try PhoenixdFixture()
        var hashes: [PaymentHash] = []
        for number in 0..<260 {
            let time = Self.start + UInt64(number) * 10_000
            let hash = try fixture.node.receive(at: time, onChain: number == place)
            if number != place { hashes.append(hash) }
        }
        #expect(try await fixture.backend().settlements(259).map(\.paymentHash) == hashes)
    }

    @Test("On-chain payments of one moment hide nothing of it")
    func onChainOfOneMoment() async throws {
        let fixture = try PhoenixdFixture()
        var hashes: Set<PaymentHash> = []
        for number in 0..<600 {
            let hash = try fixture.node.receive(at: Self.start, onChain: number % 100 == 7)
            if number % 100 != 7 { hashes.insert(hash) }
        }
        #expect(Set(try await fixture.backend().settlements(594).map(\.paymentHash)) == hashes)
    }

    @Test(
        "A payment of a clock that was ahead, by a day or by 15 years, hides none that comes later",
        arguments: [86_400, 473_385_600])
    func clockAhead(seconds: UInt64) async throws {
        let fixture = try PhoenixdFixture()
        let now = fixture.node.now.seconds * 1000
        let before = try fixture.node.receive(at: now - 1000)
        let ahead = try fixture.node.receive(at: now + seconds * 1000)
        let settlements = try await fixture.backend().settlements(2)
        #expect(settlements.map(\.paymentHash) == [before, ahead])
        let later = try fixture.node.receive(at: now)
        let cursor = settlements.last?.cursor
        #expect(try await fixture.backend().settlements(1, after: cursor).map(\.paymentHash) == [later])
    }

    @Test("More payments of a clock that was ahead than are remembered hide none that comes later, and end")
    func manyAhead() async throws {
        let fixture = try PhoenixdFixture()
        let now = fixture.node.now.seconds * 1000
        for number in 0..<300 { try fixture.node.receive(at: now + 86_400_000 + UInt64(number)) }
        let backend = try fixture.backend()
        let reader = Task { try await backend.settlements(301) }
        try await eventually { fixture.node.server.requests.count >= 4 }
        let later = try fixture.node.receive(at: now)
        fixture.node.wake()
        let settlements = try await reader.value
        #expect(Set(settlements.map(\.paymentHash)).count == 301)
        #expect(settlements.contains { $0.paymentHash == later })
        #expect(settlements.allSatisfy { $0.cursor.text.utf8.count < 4000 })
    }

    @Test("The present end leaves out what is older than ten minutes, and nothing that comes")
    func presentEnd() async throws {
        let fixture = try PhoenixdFixture()
        let now = fixture.node.now.seconds * 1000
        try fixture.node.receive(at: now - 601_000)
        let end = try #require(try await fixture.backend().presentEnd())
        let later = try fixture.node.receive(at: now)
        #expect(try await fixture.backend().settlements(1, after: end).map(\.paymentHash) == [later])
    }

    @Test("A cursor that lies in the future is read from the present on")
    func cursorAhead() async throws {
        let fixture = try PhoenixdFixture()
        let now = fixture.node.now.seconds * 1000
        let hash = try fixture.node.receive(at: now)
        let cursor = SettlementCursor("listed \(now + 86_400_000)")
        #expect(try await fixture.backend().settlements(1, after: cursor).map(\.paymentHash) == [hash])
    }

    @Test("From every cursor on the rest comes, nothing lost and nothing twice")
    func everyCursor() async throws {
        let fixture = try PhoenixdFixture()
        for number in 0..<12 {
            // Two at each moment.
            _ = try fixture.node.receive(at: Self.start + UInt64(number / 2) * 250_000)
        }
        let settlements = try await fixture.backend().settlements(12)
        for (index, settlement) in settlements.enumerated().dropLast() {
            let rest = try await fixture.backend().settlements(11 - index, after: settlement.cursor)
            #expect(rest == Array(settlements[(index + 1)...]))
        }
    }

    @Test("A payment that appears late, with an earlier time than the last one, is not lost")
    func late() async throws {
        let fixture = try PhoenixdFixture()
        let first = try fixture.node.receive(at: Self.start)
        let backend = try fixture.backend()
        let cursor = try #require(try await backend.settlements(1).first).cursor
        // The clock has stepped back, or two payments were under way at once.
        let late = try fixture.node.receive(at: Self.start - 599_000)
        #expect(try await backend.settlements(1, after: cursor).map(\.paymentHash) == [late])
        #expect(first != late)
    }

    @Test("Of a busy node the cursor stays short, and nothing comes twice")
    func busy() async throws {
        let fixture = try PhoenixdFixture()
        for number in 0..<300 { _ = try fixture.node.receive(at: Self.start + UInt64(number)) }
        let settlements = try await fixture.backend().settlements(300)
        #expect(Set(settlements.map(\.paymentHash)).count == 300)
        #expect(settlements.allSatisfy { $0.cursor.text.utf8.count < 4000 })
        let last = try #require(settlements.last)
        let next = try fixture.node.receive(at: Self.start + 1000)
        #expect(try await fixture.backend().settlements(1, after: last.cursor).map(\.paymentHash) == [next])
    }

    @Test("A payment that cannot be read is named by its hash, and those behind it come")
    func unreadable() async throws {
        let fixture = try PhoenixdFixture()
        let hashes = try (0..<3).map { try fixture.node.receive(at: Self.start + UInt64($0)) }
        fixture.node.state.withLock { $0.payments[1].isOdd = true }
        var stream = try fixture.backend().settlements(after: nil).makeAsyncIterator()
        #expect(try await stream.next()?.get()?.paymentHash == hashes[0])
        guard case .failure(let fault) = try await stream.next() else {
            Issue.record("read")
            return
        }
        #expect(fault.paymentHash == hashes[1])
        #expect(try await stream.next()?.get()?.paymentHash == hashes[2])
        #expect(fault.fault == .malformedAnswer("[1].receivedSat"))
        let rest = try await fixture.backend().settlements(1, after: fault.cursor)
        #expect(rest.map(\.paymentHash) == [hashes[2]])
    }

    @Test("Payments that cannot even be identified are reported once each, also one that is alone, and the others come")
    func unidentified() async throws {
        let fixture = try PhoenixdFixture()
        func damage(_ index: Int) { fixture.node.state.withLock { $0.payments[index].isUnidentified = true } }
        try fixture.node.receive(at: Self.start)
        damage(0)
        var stream = try fixture.backend().settlements(after: nil).makeAsyncIterator()
        func unreadable() async throws -> BackendFault? {
            guard case .failure(let unreadable) = try await stream.next(), unreadable.paymentHash == nil else {
                return nil
            }
            return unreadable.fault
        }
        #expect(try await unreadable() == .malformedAnswer("[0].paymentHash"))
        let second = try fixture.node.receive(at: Self.start + 1)
        fixture.node.wake()
        #expect(try await stream.next()?.get()?.paymentHash == second)
        try fixture.node.receive(at: Self.start + 2)
        damage(2)
        let fourth = try fixture.node.receive(at: Self.start + 3)
        fixture.node.wake()
        #expect(try await unreadable() == .malformedAnswer("[1].paymentHash"))
        #expect(try await stream.next()?.get()?.paymentHash == fourth)
        let fifth = try fixture.node.receive(at: Self.start + 4)
        fixture.node.wake()
        #expect(try await stream.next()?.get()?.paymentHash == fifth)
    }

    @Test("A whole page of payments that cannot be identified is a fault of the node")
    func unidentifiedPage() async throws {
        let fixture = try PhoenixdFixture()
        for number in 0..<250 { try fixture.node.receive(at: Self.start + UInt64(number)) }
        fixture.node.state.withLock { state in
            for index in state.payments.indices { state.payments[index].isUnidentified = true }
        }
        await #expect(throws: BackendFault.malformedAnswer("[0].paymentHash")) {
            _ = try await fixture.backend().settlements(1)
        }
    }

    @Test("A node that ignores the end of a time span is not asked without end")
    func ignoredEnd() async throws {
        let fixture = try PhoenixdFixture()
        fixture.node.state.withLock { $0.ignoresEnd = true }
        for number in 0..<251 { try fixture.node.receive(at: Self.start + UInt64(number)) }
        await #expect(throws: BackendFault.malformedAnswer("payments of a time that was not requested")) {
            _ = try await fixture.backend().settlements(1)
        }
    }

    @Test("A payment whose offer cannot be read is named by its hash, and those behind it come")
    func unreadableOffer() async throws {
        let fixture = try PhoenixdFixture()
        let hashes = try (0..<2).map { try fixture.node.receive(at: Self.start + UInt64($0)) }
        fixture.node.state.withLock { $0.offerText = "lno1" }
        var stream = try fixture.backend().settlements(after: nil).makeAsyncIterator()
        guard case .failure(let unreadable) = try await stream.next() else {
            Issue.record("read")
            return
        }
        #expect(unreadable.paymentHash == hashes[0])
        guard case .malformedAnswer = unreadable.fault else {
            Issue.record("\(unreadable.fault)")
            return
        }
        fixture.node.state.withLock { $0.offerText = nil }
        #expect(try await stream.next()?.get()?.paymentHash == hashes[1])
        let rest = try await fixture.backend().settlements(1, after: unreadable.cursor)
        #expect(rest.map(\.paymentHash) == [hashes[1]])
    }

    @Test("A payment waits for a node that cannot tell its offer at the moment")
    func offerLater() async throws {
        let fixture = try PhoenixdFixture()
        let hash = try fixture.node.receive(at: Self.start)
        fixture.node.state.withLock { $0.offerStatus = 503 }
        await #expect(throws: BackendFault.unreachable("status 503")) {
            _ = try await fixture.backend().settlements(1)
        }
        fixture.node.state.withLock { $0.offerStatus = 200 }
        #expect(try await fixture.backend().settlements(1).map(\.paymentHash) == [hash])
    }

    @Test("The payment of the node's offer names it, with the payer's note; without the setting it is nobody's")
    func offered() async throws {
        let fixture = try PhoenixdFixture()
        try fixture.node.pay(fixture.node.offer, Millisatoshi(5000), note: "for tea")
        let settlement = try #require(try await fixture.backend().settlements(1).first)
        #expect(settlement.offered == OfferedPayment(offer: fixture.node.offer.id, invoice: nil, payerNote: "for tea"))
        let plain = try #require(try await fixture.backend { $0.offerLabel = nil }.settlements(1).first)
        #expect(plain.offered == nil)
    }

    @Test("Payments come at the next tick, without a webhook")
    func tick() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        let reader = Task { try await backend.settlements(1) }
        try await eventually { !fixture.node.server.requests.isEmpty }
        let hash = try fixture.node.receive(at: Self.start)
        fixture.node.wake()
        #expect(try await reader.value.map(\.paymentHash) == [hash])
    }

    @Test(
        "A cursor of another kind of node is refused",
        arguments: ["", "7", "listed", "listed x", "listed 1 2", "listed 1 2-3", "listed 1 2-00000000000000zz"])
    func otherCursor(text: String) async throws {
        let fixture = try PhoenixdFixture()
        await #expect(throws: BackendFault.refused("a cursor of another node")) {
            try await fixture.backend().settlements(1, after: SettlementCursor(text))
        }
    }
}
