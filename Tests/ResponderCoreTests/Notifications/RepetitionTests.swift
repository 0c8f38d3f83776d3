import LedgerRecords
import LightningCoding
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("A repeated request", .timeLimit(.minutes(5)))
struct RepetitionTests {
    typealias Notified = NotificationFixture

    private func invoice(_ handled: NotificationResult) throws -> String? { try handled.json["pr"]?.string }

    @Test("with the same reply URL gets the same invoice while that can be paid")
    func sameReplyURL() async throws {
        let fixture = try await Notified()
        let question = Notified.invoice("1000", reply: "https://ln.example/r/1", more: #","comment":"hi""#)
        let first = try invoice(try await fixture.handle(question))
        #expect(try invoice(try await fixture.handle(question)) == first)
        let pushed = JSONValue.object([
            "notification_type": "lnurlpay_invoice",
            "notification_payload": #"{"amount":1000,"reply_url":"https://ln.example/r/1","comment":"hi"}"#,
        ])
        #expect(try invoice(try await fixture.handle(pushed.serialized())) == first)
        // Another process on the same ledger.
        #expect(try invoice(try await fixture.handle(question, by: fixture.notified())) == first)
        fixture.fixture.advance(seconds: 601)
        let later = try invoice(try await fixture.handle(question))
        #expect(later != nil && later != first)
    }

    @Test("with another reply URL, or with any other difference, is another payer's")
    func otherPayers() async throws {
        let fixture = try await Notified()
        var texts: Set<String?> = []
        for question in [
            Notified.invoice("1000"), Notified.invoice("1000", reply: "https://ln.example/r/2"),
            Notified.invoice("1001"), Notified.invoice("1000", more: #","comment":"hi""#),
            Notified.invoice("1000", more: #","verify_url":"https://ln.example/v""#),
        ] {
            texts.insert(try invoice(try await fixture.handle(question)))
        }
        #expect(texts.count == 5)
    }

    @Test("with the sender's id is the same, whatever the reply URL")
    func sameID() async throws {
        let fixture = try await Notified()
        func question(_ id: String, _ reply: String, amount: Int = 1000) -> String {
            #"{"template":"lnurlpay_invoice","data":{"amount":\#(amount),"reply_url":"\#(reply)"},"event_id":"\#(id)"}"#
        }
        let first = try invoice(try await fixture.handle(question("a", "https://ln.example/r/1")))
        #expect(try invoice(try await fixture.handle(question("a", "https://ln.example/r/2"))) == first)
        #expect(try invoice(try await fixture.handle(question("b", "https://ln.example/r/1"))) != first)
        #expect(try invoice(try await fixture.handle(question("a", "https://ln.example/r/1", amount: 2000))) != first)
    }

    @Test("sent fifty times at once gets one invoice; to two accounts it gets two")
    func atOnce() async throws {
        let fixture = try await Notified()
        var settings = AccountSettings(description: "For bob", backend: .embedded)
        settings.commentAllowed = 0
        _ = try await fixture.fixture.ledger.putAccount(
            named: .init("bob@pay.example.com"), settings: settings, metadata: #"[["text/plain","For bob"]]"#,
            at: fixture.fixture.now)
        let responders = [try await fixture.notified(), try await fixture.notified()]
        let invoices = try await withThrowingTaskGroup(of: String?.self, returning: Set<String?>.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let handled = try await fixture.handle(
                        Notified.invoice("1000"), by: responders[index % 2],
                        for: index.isMultiple(of: 5) ? "bob" : "alice")
                    return try handled.json["pr"]?.string
                }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(invoices.count == 2 && !invoices.contains(nil))
        #expect(try await fixture.fixture.ledger.invoices(InvoiceQuery(now: fixture.fixture.now)).elements.count == 2)
    }
}
