import LedgerRecords
import LNURL
import LightningCoding
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("The maximum of open invoices", .timeLimit(.minutes(5)))
struct OpenInvoiceTests {
    typealias Notified = NotificationFixture

    private func pay(_ responder: Responder, _ name: AccountID) async throws(Refusal) {
        _ = try await responder.payInvoice(
            CallbackQuery(amount: Millisatoshi(1000)), for: name)
    }

    @Test("refuses one more, says when to retry, and frees what has expired or been paid")
    func maximum() async throws {
        let fixture = try await Fixture()
        let alice = try fixture.alice()
        let responder = try await fixture.responder(maximumOpenInvoices: 2)
        try await pay(responder, alice)
        fixture.advance(seconds: 100)
        try await pay(responder, alice)
        await #expect(throws: Refusal.tooMany(retryAfter: 500)) { try await pay(responder, alice) }
        fixture.advance(seconds: 500)
        try await pay(responder, alice)
        await #expect(throws: Refusal.tooMany(retryAfter: 100)) { try await pay(responder, alice) }
        let newest = try #require(try await fixture.ledger.invoices(InvoiceQuery(now: fixture.now)).elements.first)
        try await fixture.settle(newest.paymentHash)
        fixture.advance(seconds: 1)
        try await pay(responder, alice)
    }

    @Test("is not looked up in the ledger again within the second once it is reached")
    func full() async throws {
        let fixture = try await Fixture()
        let (alice, ledger, now) = (try fixture.alice(), fixture.ledger, fixture.now)
        try await pay(fixture.responder(), alice)
        let gate = OpenInvoiceGate(maximum: 1)
        let refusal = Refusal.tooMany(retryAfter: 600)
        await #expect(throws: refusal) { _ = try await gate.place(for: alice, in: ledger, at: now) }
        await ledger.close()
        await #expect(throws: refusal) { _ = try await gate.place(for: alice, in: ledger, at: now) }
        await #expect(throws: Refusal.ledger(.closed)) {
            _ = try await gate.place(for: alice, in: ledger, at: now.adding(seconds: 1))
        }
    }

    @Test("holds for concurrent requests, and counts each account separately")
    func atOnce() async throws {
        let fixture = try await Fixture()
        let alice = try fixture.alice()
        let responder = try await fixture.responder(maximumOpenInvoices: 5)
        let written = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for _ in 0..<40 { group.addTask { (try? await pay(responder, alice)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect((1...5).contains(written))
        _ = try await fixture.ledger.putAccount(
            named: .init("bob@pay.example.com"), settings: AccountSettings(description: "For bob", backend: .embedded),
            metadata: #"[["text/plain","For bob"]]"#, at: fixture.now)
        try await pay(responder, AccountID("bob@pay.example.com"))
    }

    @Test("holds from the first request on for what an earlier process has issued")
    func restarted() async throws {
        let fixture = try await Fixture()
        try await pay(fixture.responder(maximumOpenInvoices: 1), fixture.alice())
        let restarted = try await fixture.responder(maximumOpenInvoices: 1)
        await #expect(throws: Refusal.tooMany(retryAfter: 600)) { try await pay(restarted, fixture.alice()) }
    }

    @Test("keeps every account whose invoices are being counted, however many others come meanwhile")
    func counting() async throws {
        let fixture = try await Fixture()
        let (alice, bob) = (try fixture.alice(), try AccountID("bob@pay.example.com"))
        let gate = OpenInvoiceGate(maximum: 5, capacity: 1)
        let place = try await gate.place(for: alice, in: fixture.ledger, at: fixture.now)
        place.leave(isWritten: true)
        #expect(gate.beginCounting(alice) == 1)
        #expect(gate.beginCounting(bob) == 0)
        var everWritten: UInt64?
        gate.endCounting(alice) { everWritten = $0.everWritten }
        #expect(everWritten == 1)
    }

    @Test("holds for all protocols, with the error in each one's format")
    func everyWay() async throws {
        let fixture = try await Notified()
        let responder = try await fixture.notified(maximumOpenInvoices: 1)
        try await pay(responder.responder, fixture.fixture.alice())
        let handled = try await fixture.handle(Notified.invoice("1000"), by: responder)
        #expect(
            handled.text8
                == #"{"status":"ERROR","reason":"Too many unpaid invoices for this address; please try again later"}"#)
        #expect(handled.reply?.retryAfter == 600)
        #expect(RequestRefusal.payment(.tooMany(retryAfter: 1)).isTransient)
    }
}

@Suite("The label of an invoice", .timeLimit(.minutes(5)))
struct InvoiceLabelTests {
    @Test("begins with the seconds, and differs from all others")
    func labels() async throws {
        let fixture = try await Fixture()
        let responder = try await fixture.responder()
        for _ in 0..<3 {
            _ = try await responder.payInvoice(CallbackQuery(amount: Millisatoshi(1000)), for: fixture.alice())
        }
        let labels = try await fixture.ledger.invoices(InvoiceQuery(now: fixture.now)).elements.map(\.label)
        let time = String(fixture.now.seconds, radix: 16)
        #expect(labels.count == 3 && Set(labels).count == 3)
        #expect(labels.allSatisfy { $0.hasPrefix(time) && $0.utf8.count == 32 })
    }
}
