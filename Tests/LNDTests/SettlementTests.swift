import BackendContract
import FakeNode
import LND
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import ResponderModel
import Testing
import Waiting

@Suite("Settlements of LND", .timeLimit(.minutes(5)))
struct SettlementTests {
    private func paid(_ count: Int, _ fixture: LNDFixture) async throws -> [PaymentHash] {
        let backend = try fixture.backend()
        var hashes: [PaymentHash] = []
        for number in 0..<count {
            let answer = try await backend.createInvoice(.sample("\(number)"))
            try fixture.node.pay(answer.bolt11, Millisatoshi(21_001))
            hashes.append(answer.paymentHash)
        }
        return hashes
    }

    /// Reads so many settlements after the first one, while invoices are paid once the reader listens.
    private func live(
        _ count: Int, _ fixture: LNDFixture, while pays: () async throws -> Void
    ) async throws -> [Settlement] {
        let backend = try fixture.backend()
        // Canceled with the test, unlike an unstructured task.
        async let settlements = backend.settlements(count, after: SettlementCursor("1"))
        try await eventually { fixture.node.server.requests.contains { $0.path == "/v1/invoices/subscribe" } }
        try await pays()
        return try await settlements
    }

    @Test(
        "The first settlement of a node, which no subscription repeats, is found after a page of unpaid invoices"
    )
    func first() async throws {
        let fixture = try LNDFixture()
        for _ in 0..<150 { _ = try fixture.node.foreignInvoice() }
        let hashes = try await paid(3, fixture)
        let settlements = try await fixture.backend().settlements(3)
        #expect(settlements.map(\.paymentHash) == hashes)
        #expect(settlements.map(\.cursor.text) == ["1", "2", "3"])
    }

    @Test("While the first settlement is searched for in a long list, the stream says so, and not once it was read")
    func searching() async throws {
        let fixture = try LNDFixture()
        for _ in 0..<250 { _ = try fixture.node.foreignInvoice() }
        var stream = try fixture.backend().settlements(after: nil).makeAsyncIterator()
        for offset in ["0", "100"] {
            let report = try #require(try await stream.next())
            #expect(try report.get() == nil)
            let last = fixture.node.server.requests.last { $0.path == "/v1/invoices" }
            #expect(last?.query("index_offset") == offset)
        }
        async let first: PaymentHash? = {
            // The list is read again.
            try await eventually { fixture.node.server.requests.count { $0.path == "/v1/invoices" } >= 9 }
            return try await paid(1, fixture).first
        }()
        #expect(try await stream.next()?.get()?.paymentHash == first)
    }

    @Test("A node that was never paid is queried again until it is")
    func neverPaid() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        async let settlements = backend.settlements(2)
        try await eventually { fixture.node.server.requests.count { $0.path == "/v1/invoices" } >= 2 }
        let hashes = try await paid(2, fixture)
        #expect(try await settlements.map(\.paymentHash) == hashes)
    }

    @Test("While waiting for the first settlement, invoices that ended unpaid are read once")
    func passed() async throws {
        let fixture = try LNDFixture()
        for _ in 0..<120 { _ = try fixture.node.foreignInvoice() }
        fixture.node.advance(seconds: 86_400)
        _ = try fixture.node.foreignInvoice()
        let backend = try fixture.backend()
        async let settlements = backend.settlements(1)
        func offsets() -> [String] {
            fixture.node.server.requests.filter { $0.path == "/v1/invoices" }.compactMap { $0.query("index_offset") }
        }
        try await eventually { offsets().count >= 4 }
        #expect(offsets().prefix(4) == ["0", "100", "120", "120"])
        let hashes = try await paid(1, fixture)
        #expect(try await settlements.map(\.paymentHash) == hashes)
    }

    @Test("A first settlement that belongs to no invoice is skipped")
    func firstIsAMP() async throws {
        let fixture = try LNDFixture()
        let text = try fixture.node.foreignInvoice()
        try fixture.node.pay(text, Millisatoshi(1000), isAMP: true)
        let hashes = try await paid(1, fixture)
        #expect(try await fixture.backend().settlements(1).map(\.paymentHash) == hashes)
    }

    @Test("A duplicate event is one settlement")
    func twice() async throws {
        let fixture = try LNDFixture()
        _ = try await paid(1, fixture)
        fixture.node.state.withLock { $0.trick = .twice }
        var hashes: [PaymentHash] = []
        let settlements = try await live(3, fixture) { hashes = try await paid(3, fixture) }
        #expect(settlements.map(\.paymentHash) == hashes)
    }

    @Test("Events out of order are returned in order, without loss", arguments: [FakeLND.EventFault.swapped, .lost])
    func disorder(trick: FakeLND.EventFault) async throws {
        let fixture = try LNDFixture()
        _ = try await paid(1, fixture)
        var hashes: [PaymentHash] = []
        let settlements = try await live(4, fixture) {
            // The first event of a subscription may skip numbers.
            hashes += try await paid(1, fixture)
            try await eventually { fixture.node.state.withLock { !$0.events.isEmpty } }
            fixture.node.state.withLock { $0.trick = trick }
            hashes += try await paid(2, fixture)
            fixture.node.state.withLock { $0.trick = .none }
            hashes += try await paid(1, fixture)
        }
        #expect(settlements.map(\.paymentHash) == hashes)
    }

    @Test("Payments that belong to no invoice leave gaps, and the stream continues")
    func gaps() async throws {
        let fixture = try LNDFixture()
        _ = try await paid(1, fixture)
        var hashes: [PaymentHash] = []
        let settlements = try await live(2, fixture) {
            hashes += try await paid(1, fixture)
            try fixture.node.pay(try fixture.node.foreignInvoice(), Millisatoshi(1000), isAMP: true)
            hashes += try await paid(1, fixture)
        }
        #expect(settlements.map(\.paymentHash) == hashes)
        #expect(settlements.map(\.cursor.text) == ["2", "4"])
    }

    @Test("Invoices not ordered by us are reported too, and move the cursor")
    func foreign() async throws {
        let fixture = try LNDFixture()
        _ = try await paid(1, fixture)
        try fixture.node.pay(try fixture.node.foreignInvoice(), Millisatoshi(1000))
        let settlement = try #require(try await fixture.backend().settlements(1, after: SettlementCursor("1")).first)
        #expect(settlement.received == Millisatoshi(1000))
        #expect(settlement.cursor.text == "2")
        #expect(settlement.settledAt == fixture.now)
    }

    @Test("Payments of a node whose count was reset settle whatever their number, and the reader keeps its position")
    func countsAnew() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        let reader = Task { try await backend.settlements(1, after: SettlementCursor("100")) }
        defer { reader.cancel() }
        try await eventually { fixture.node.server.requests.contains { $0.path == "/v1/invoices/subscribe" } }
        let hashes = try await paid(1, fixture)
        let settlements = try await reader.value
        #expect(settlements.map(\.paymentHash) == hashes)
        #expect(settlements.map(\.cursor) == [SettlementCursor("100")])
    }

    @Test("A cursor is found after pages of newer invoices; one that is not LND's is left to the stream")
    func reached() async throws {
        let fixture = try LNDFixture()
        _ = try await paid(2, fixture)
        for _ in 0..<250 { _ = try fixture.node.foreignInvoice() }
        let backend = try fixture.backend()
        for (text, isReached) in [("0", true), ("1", true), ("2", true), ("3", false), ("x", true)] {
            let state = try await backend.cursorState(of: SettlementCursor(text))
            #expect(state == (isReached ? .reached : .renumbered), "\(text)")
        }
        let offsets = fixture.node.server.requests.filter { $0.path == "/v1/invoices" && $0.method == "GET" }
            .compactMap { $0.query("index_offset") }
        #expect(offsets == Array(repeating: ["0", "153", "53"], count: 3).flatMap { $0 })
    }

    @Test("The end of the stream is a transient fault, so that it is reopened")
    func restart() async throws {
        let fixture = try LNDFixture()
        _ = try await paid(2, fixture)
        let backend = try fixture.backend()
        async let settlements = backend.settlements(2, after: SettlementCursor("1"))
        try await eventually { fixture.node.server.requests.contains { $0.path == "/v1/invoices/subscribe" } }
        fixture.node.server.mode = .gone
        do {
            _ = try await settlements
            Issue.record("no fault")
        } catch let fault as BackendFault {
            #expect(fault.isTransient)
        }
    }

    @Test("A payment of which only the number can be read is skipped by it, and those after it arrive")
    func unreadable() async throws {
        let fixture = try LNDFixture()
        let hashes = try await paid(3, fixture)
        fixture.node.state.withLock { $0.invoices[1].isOdd = true }
        let backend = try fixture.backend()
        let fault = try #require(
            await #expect(throws: UnreadableSettlement.self) {
                try await backend.settlements(1, after: SettlementCursor("1"))
            })
        #expect(fault.paymentHash == hashes[1])
        #expect(fault.cursor == SettlementCursor("2"))
        #expect(try await backend.settlements(1, after: fault.cursor).map(\.paymentHash) == [hashes[2]])
    }

    @Test("Whatever canceled HTLCs an invoice has kept, its payment is read, live, from the list and by its hash")
    func canceledHTLCs() async throws {
        let fixture = try LNDFixture()
        var hashes = try await paid(2, fixture)
        for index in 0..<2 { fixture.node.state.withLock { $0.invoices[index].canceledHTLCs = 40 } }
        // Far below what one of them takes.
        let backend = try fixture.backend { $0.limits.maximumAnswerBytes = 20_000 }
        #expect(try await backend.settlements(2).map(\.paymentHash) == hashes)
        #expect(try await backend.cursorState(of: SettlementCursor("2")) == .reached)
        #expect(try await backend.cursorState(of: SettlementCursor("3")) == .renumbered)
        let status = try await backend.status(of: hashes[0])
        guard case .settled = status else {
            Issue.record("\(String(describing: status))")
            return
        }
        async let live = backend.settlements(1, after: SettlementCursor("2"))
        try await eventually { fixture.node.server.requests.count { $0.path == "/v1/invoices/subscribe" } >= 2 }
        let invoice = try await backend.createInvoice(.sample("live"))
        fixture.node.state.withLock { $0.invoices[2].canceledHTLCs = 40 }
        try fixture.node.pay(invoice.bolt11, Millisatoshi(21_001))
        hashes.append(invoice.paymentHash)
        #expect(try await live.map(\.paymentHash) == [hashes[2]])
    }

    @Test("A page of invoices that is too long for the node is requested in smaller pieces")
    func longPages() async throws {
        let fixture = try LNDFixture()
        for _ in 0..<12 { _ = try fixture.node.foreignInvoice() }
        let hashes = try await paid(1, fixture)
        fixture.node.state.withLock { $0.longestPage = 5 }
        #expect(try await fixture.backend().settlements(1).map(\.paymentHash) == hashes)
        #expect(try await fixture.backend().cursorState(of: SettlementCursor("1")) == .reached)
    }

    @Test(
        "An unreadable first payment of a node is reported, and those after it arrive; other unreadable invoices block nothing"
    )
    func unreadableFirst() async throws {
        let fixture = try LNDFixture()
        let hashes = try await paid(3, fixture)
        fixture.node.state.withLock { $0.invoices[0].isOdd = true }
        var reports: [PaymentHash?] = []
        for try await report in try fixture.backend().settlements(after: nil) {
            switch report {
            case .success(let settlement): reports.append(settlement?.paymentHash)
            case .failure(let unreadable):
                #expect(unreadable.paymentHash == hashes[0])
                #expect(unreadable.cursor == SettlementCursor("1"))
                reports.append(nil)
            }
            if reports.count == 3 { break }
        }
        #expect(reports == [nil, hashes[1], hashes[2]])
    }

    @Test("A line of which too much is needed is passed over, and the stream goes on")
    func longLine() async throws {
        let fixture = try LNDFixture()
        _ = try await paid(1, fixture)
        let backend = try fixture.backend { $0.limits.maximumAnswerBytes = 4_000 }
        var stream = backend.settlements(after: SettlementCursor("1")).makeAsyncIterator()
        async let later: [PaymentHash] = {
            try await eventually { fixture.node.server.requests.contains { $0.path == "/v1/invoices/subscribe" } }
            fixture.node.state.withLock { state in
                state.events.append(#"{"result":{"r_hash":""# + String(repeating: "A", count: 5_000) + "\"}}\n")
            }
            return try await paid(1, fixture)
        }()
        guard case .failure(let unreadable) = try await stream.next() else {
            Issue.record("read")
            return
        }
        #expect(unreadable.cursor == SettlementCursor("1"))
        #expect(try await stream.next()?.get()?.paymentHash == later.first)
    }

    @Test("A payment whose number cannot be read is reported once, although LND repeats it in the next subscription")
    func unnumbered() async throws {
        let fixture = try LNDFixture()
        let hashes = try await paid(3, fixture)
        fixture.node.state.withLock { $0.invoices[2].isUnnumbered = true }
        var stream = try fixture.backend().settlements(after: SettlementCursor("1")).makeAsyncIterator()
        #expect(try await stream.next()?.get()?.paymentHash == hashes[1])
        guard case .failure(let unreadable) = try await stream.next() else {
            Issue.record("read")
            return
        }
        #expect(unreadable.paymentHash == hashes[2])
        #expect(unreadable.cursor == SettlementCursor("2"))
        // The gap before it makes the reader ask again from the last number on.
        let next = try await paid(1, fixture)
        #expect(try await stream.next()?.get()?.paymentHash == next.first)
        #expect(fixture.node.server.requests.count { $0.path == "/v1/invoices/subscribe" } == 2)
    }

    @Test("A cursor that is not a number is rejected", arguments: ["", "-1", "x", "listed 0", "1 "])
    func otherCursor(text: String) async throws {
        let fixture = try LNDFixture()
        await #expect(throws: BackendFault.refused("a cursor of another node")) {
            try await fixture.backend().settlements(1, after: SettlementCursor(text))
        }
    }
}
