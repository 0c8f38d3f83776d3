import Locking
import LND
import LightningCoding
import LightningCrypto
import LoopbackServer
import PlayedNode
import Receiving
import Testing
import Waiting

@Suite("Settlements of LND", .timeLimit(.minutes(1)))
struct SettlementTests {
    private func paid(_ count: Int, _ bench: LNDBench) async throws -> [PaymentHash] {
        let backend = try bench.backend()
        var hashes: [PaymentHash] = []
        for number in 0..<count {
            let answer = try await backend.createInvoice(.sample("\(number)"))
            try bench.node.pay(answer.bolt11, Millisatoshi(21_001))
            hashes.append(answer.paymentHash)
        }
        return hashes
    }

    /// Reads so many settlements after the first one, while invoices are paid once the reader listens.
    private func live(_ count: Int, _ bench: LNDBench, while pays: () async throws -> Void) async throws -> [Settlement]
    {
        let backend = try bench.backend()
        // Cancelled with the test, unlike a task of its own.
        async let settlements = backend.settlements(count, after: SettlementCursor("1"))
        try await eventually { bench.node.door.requests.contains { $0.path == "/v1/invoices/subscribe" } }
        try await pays()
        return try await settlements
    }

    @Test(
        "The first settlement of a node's life is found, which no subscription repeats, behind a page of unpaid invoices"
    )
    func first() async throws {
        let bench = try LNDBench()
        for _ in 0..<150 { _ = try bench.node.foreignInvoice() }
        let hashes = try await paid(3, bench)
        let settlements = try await bench.backend().settlements(3)
        #expect(settlements.map(\.paymentHash) == hashes)
        #expect(settlements.map(\.cursor.text) == ["1", "2", "3"])
    }

    @Test("A node that was never paid is asked again until it is")
    func neverPaid() async throws {
        let bench = try LNDBench()
        let backend = try bench.backend()
        async let settlements = backend.settlements(2)
        try await eventually { bench.node.door.requests.count { $0.path == "/v1/invoices" } >= 2 }
        let hashes = try await paid(2, bench)
        #expect(try await settlements.map(\.paymentHash) == hashes)
    }

    @Test("Invoices that have ended unpaid are read once while the first settlement is waited for")
    func passed() async throws {
        let bench = try LNDBench()
        for _ in 0..<120 { _ = try bench.node.foreignInvoice() }
        bench.node.advance(seconds: 86_400)
        _ = try bench.node.foreignInvoice()
        let backend = try bench.backend()
        async let settlements = backend.settlements(1)
        func offsets() -> [String] {
            bench.node.door.requests.filter { $0.path == "/v1/invoices" }.compactMap { $0.query("index_offset") }
        }
        try await eventually { offsets().count >= 4 }
        #expect(offsets().prefix(4) == ["0", "100", "120", "120"])
        let hashes = try await paid(1, bench)
        #expect(try await settlements.map(\.paymentHash) == hashes)
    }

    @Test("A first settlement that is no invoice's is passed over")
    func firstIsAMP() async throws {
        let bench = try LNDBench()
        let text = try bench.node.foreignInvoice()
        try bench.node.pay(text, Millisatoshi(1000), isAMP: true)
        let hashes = try await paid(1, bench)
        #expect(try await bench.backend().settlements(1).map(\.paymentHash) == hashes)
    }

    @Test("An event that comes twice is one settlement")
    func twice() async throws {
        let bench = try LNDBench()
        _ = try await paid(1, bench)
        bench.node.state.withLock { $0.trick = .twice }
        var hashes: [PaymentHash] = []
        let settlements = try await live(3, bench) { hashes = try await paid(3, bench) }
        #expect(settlements.map(\.paymentHash) == hashes)
    }

    @Test("Events out of order come in order, none lost", arguments: [PlayedLND.Trick.swapped, .lost])
    func disorder(trick: PlayedLND.Trick) async throws {
        let bench = try LNDBench()
        _ = try await paid(1, bench)
        var hashes: [PaymentHash] = []
        let settlements = try await live(4, bench) {
            // The first event of a subscription may leave numbers out.
            hashes += try await paid(1, bench)
            try await eventually { bench.node.state.withLock { !$0.events.isEmpty } }
            bench.node.state.withLock { $0.trick = trick }
            hashes += try await paid(2, bench)
            bench.node.state.withLock { $0.trick = .none }
            hashes += try await paid(1, bench)
        }
        #expect(settlements.map(\.paymentHash) == hashes)
    }

    @Test("Payments that are no invoice's leave gaps, over which the stream goes on")
    func gaps() async throws {
        let bench = try LNDBench()
        _ = try await paid(1, bench)
        var hashes: [PaymentHash] = []
        let settlements = try await live(2, bench) {
            hashes += try await paid(1, bench)
            try bench.node.pay(try bench.node.foreignInvoice(), Millisatoshi(1000), isAMP: true)
            hashes += try await paid(1, bench)
        }
        #expect(settlements.map(\.paymentHash) == hashes)
        #expect(settlements.map(\.cursor.text) == ["2", "4"])
    }

    @Test("What others have asked the node for is told too, and moves the cursor")
    func foreign() async throws {
        let bench = try LNDBench()
        _ = try await paid(1, bench)
        try bench.node.pay(try bench.node.foreignInvoice(), Millisatoshi(1000))
        let settlement = try #require(try await bench.backend().settlements(1, after: SettlementCursor("1")).first)
        #expect(settlement.received == Millisatoshi(1000))
        #expect(settlement.cursor.text == "2")
        #expect(settlement.settledAt == bench.now)
    }

    @Test("What a node tells of that counts anew is settled, whatever its number, and the reader's place stays")
    func countsAnew() async throws {
        let bench = try LNDBench()
        let backend = try bench.backend()
        let reader = Task { try await backend.settlements(1, after: SettlementCursor("100")) }
        defer { reader.cancel() }
        while !bench.node.door.requests.contains(where: { $0.path == "/v1/invoices/subscribe" }) { await Task.yield() }
        let hashes = try await paid(1, bench)
        let settlements = try await reader.value
        #expect(settlements.map(\.paymentHash) == hashes)
        #expect(settlements.map(\.cursor) == [SettlementCursor("100")])
    }

    @Test("A cursor is looked for behind pages of newer invoices; one that is none of LND's is left to the stream")
    func reached() async throws {
        let bench = try LNDBench()
        _ = try await paid(2, bench)
        for _ in 0..<250 { _ = try bench.node.foreignInvoice() }
        let backend = try bench.backend()
        for (text, isReached) in [("0", true), ("1", true), ("2", true), ("3", false), ("x", true)] {
            #expect(try await backend.hasReached(SettlementCursor(text)) == isReached, "\(text)")
        }
        let offsets = bench.node.door.requests.filter { $0.path == "/v1/invoices" && $0.method == "GET" }
            .compactMap { $0.query("index_offset") }
        #expect(offsets == Array(repeating: ["0", "153", "53"], count: 3).flatMap { $0 })
    }

    @Test("The end of the stream is a fault that passes, so that it is taken up again")
    func restart() async throws {
        let bench = try LNDBench()
        _ = try await paid(2, bench)
        let backend = try bench.backend()
        async let settlements = backend.settlements(2, after: SettlementCursor("1"))
        try await eventually { bench.node.door.requests.contains { $0.path == "/v1/invoices/subscribe" } }
        bench.node.door.mood = .gone
        do {
            _ = try await settlements
            Issue.record("no fault")
        } catch let fault as BackendFault {
            #expect(fault.isTransient)
        }
    }

    @Test("A payment of which only the number can be read is left out by it, and those behind it come")
    func unreadable() async throws {
        let bench = try LNDBench()
        let hashes = try await paid(3, bench)
        bench.node.state.withLock { $0.invoices[1].isOdd = true }
        let backend = try bench.backend()
        let fault = try #require(
            await #expect(throws: UnreadableSettlement.self) {
                try await backend.settlements(1, after: SettlementCursor("1"))
            })
        #expect(fault.paymentHash == hashes[1])
        #expect(fault.cursor == SettlementCursor("2"))
        #expect(try await backend.settlements(1, after: fault.cursor).map(\.paymentHash) == [hashes[2]])
    }

    @Test("A cursor that is no number of LND's is refused", arguments: ["", "-1", "x", "listed 0", "1 "])
    func otherCursor(text: String) async throws {
        let bench = try LNDBench()
        await #expect(throws: BackendFault.refused("no cursor of this node")) {
            try await bench.backend().settlements(1, after: SettlementCursor(text))
        }
    }
}
