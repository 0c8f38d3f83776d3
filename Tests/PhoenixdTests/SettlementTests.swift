import LoopbackServer
import Bolt12
import LightningCoding
import LightningCrypto
import PlayedNode
import Phoenixd
import Receiving
import Testing
import Waiting

@Suite("Settlements of phoenixd", .timeLimit(.minutes(1)))
struct SettlementTests {
    private static let start: UInt64 = 1_789_000_000_000

    @Test("A long history comes whole and in order, a page at a time")
    func history() async throws {
        let bench = try PhoenixdBench()
        var hashes: [PaymentHash] = []
        for number in 0..<700 {
            // Some far apart, some close together.
            hashes.append(try bench.node.receive(at: Self.start + UInt64(number * number * 40)))
        }
        let settlements = try await bench.backend().settlements(700)
        #expect(settlements.map(\.paymentHash) == hashes)
        let sizes = bench.node.door.requests.filter { $0.path == "/payments/incoming" }.map { $0.query("limit") }
        #expect(Set(sizes) == ["250"])
    }

    @Test("More than a page of one moment is no less whole")
    func oneMoment() async throws {
        let bench = try PhoenixdBench()
        var hashes: Set<PaymentHash> = []
        for _ in 0..<600 { hashes.insert(try bench.node.receive(at: Self.start)) }
        let last = try bench.node.receive(at: Self.start + 1)
        let settlements = try await bench.backend().settlements(601)
        #expect(Set(settlements.prefix(600).map(\.paymentHash)) == hashes)
        #expect(settlements.last?.paymentHash == last)
    }

    @Test("From every cursor on the rest comes, nothing lost and nothing twice")
    func everyCursor() async throws {
        let bench = try PhoenixdBench()
        for number in 0..<12 {
            // Two at each moment.
            _ = try bench.node.receive(at: Self.start + UInt64(number / 2) * 250_000)
        }
        let settlements = try await bench.backend().settlements(12)
        for (index, settlement) in settlements.enumerated().dropLast() {
            let rest = try await bench.backend().settlements(11 - index, after: settlement.cursor)
            #expect(rest == Array(settlements[(index + 1)...]))
        }
    }

    @Test("A payment that appears late, with an earlier time than the last one, is not lost")
    func late() async throws {
        let bench = try PhoenixdBench()
        let first = try bench.node.receive(at: Self.start)
        let backend = try bench.backend()
        let cursor = try #require(try await backend.settlements(1).first).cursor
        // The clock has stepped back, or two payments were under way at once.
        let late = try bench.node.receive(at: Self.start - 599_000)
        #expect(try await backend.settlements(1, after: cursor).map(\.paymentHash) == [late])
        #expect(first != late)
    }

    @Test("Of a busy node the cursor stays short, and nothing comes twice")
    func busy() async throws {
        let bench = try PhoenixdBench()
        for number in 0..<300 { _ = try bench.node.receive(at: Self.start + UInt64(number)) }
        let settlements = try await bench.backend().settlements(300)
        #expect(Set(settlements.map(\.paymentHash)).count == 300)
        #expect(settlements.allSatisfy { $0.cursor.text.utf8.count < 4000 })
        let last = try #require(settlements.last)
        let next = try bench.node.receive(at: Self.start + 1000)
        #expect(try await bench.backend().settlements(1, after: last.cursor).map(\.paymentHash) == [next])
    }

    @Test("The payment of the node's offer names it, with the payer's note; without the setting it is nobody's")
    func offered() async throws {
        let bench = try PhoenixdBench()
        try bench.node.pay(bench.node.offer, Millisatoshi(5000), note: "for tea")
        let settlement = try #require(try await bench.backend().settlements(1).first)
        #expect(settlement.offered == OfferedPayment(offer: bench.node.offer.id, invoice: nil, payerNote: "for tea"))
        let plain = try #require(try await bench.backend { $0.offerLabel = nil }.settlements(1).first)
        #expect(plain.offered == nil)
    }

    @Test("Payments come at the next tick, without a webhook")
    func tick() async throws {
        let bench = try PhoenixdBench()
        let backend = try bench.backend()
        let reader = Task { try await backend.settlements(1) }
        try await eventually { !bench.node.door.requests.isEmpty }
        let hash = try bench.node.receive(at: Self.start)
        bench.node.wake()
        #expect(try await reader.value.map(\.paymentHash) == [hash])
    }

    @Test(
        "A cursor of another kind of node is refused",
        arguments: ["", "7", "listed", "listed x", "listed 1 2", "listed 1 2-3", "listed 1 2-00000000000000zz"])
    func otherCursor(text: String) async throws {
        let bench = try PhoenixdBench()
        await #expect(throws: BackendFault.refused("no cursor of this node")) {
            try await bench.backend().settlements(1, after: SettlementCursor(text))
        }
    }
}
