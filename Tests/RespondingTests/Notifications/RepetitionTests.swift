import LNURL
import LightningCoding
import Receiving
import Responding
import SQLiteLedger
import Testing

@Suite("The same question again", .timeLimit(.minutes(2)))
struct RepetitionTests {
    typealias Notified = NotificationBench

    private func invoice(_ handled: Handled) throws -> String? { try handled.json["pr"]?.string }

    @Test("is the same when its answer goes to the same place, and gets the same invoice as long as that can be paid")
    func sameReplyURL() async throws {
        let bench = try await Notified()
        let question = Notified.invoice("1000", reply: "https://ln.example/r/1", more: #","comment":"hi""#)
        let first = try invoice(try await bench.handle(question))
        #expect(try invoice(try await bench.handle(question)) == first)
        // Another process on the same ledger.
        #expect(try invoice(try await bench.handle(question, by: bench.notified())) == first)
        bench.bench.advance(seconds: 601)
        let later = try invoice(try await bench.handle(question))
        #expect(later != nil && later != first)
    }

    @Test("is another payer's when its answer goes elsewhere, or when anything in it differs")
    func otherPayers() async throws {
        let bench = try await Notified()
        var texts: Set<String?> = []
        for question in [
            Notified.invoice("1000"), Notified.invoice("1000", reply: "https://ln.example/r/2"),
            Notified.invoice("1001"), Notified.invoice("1000", more: #","comment":"hi""#),
            Notified.invoice("1000", more: #","verify_url":"https://ln.example/v""#),
        ] {
            texts.insert(try invoice(try await bench.handle(question)))
        }
        #expect(texts.count == 5)
    }

    @Test("is the same, wherever its answer goes, when its sender says so by an id")
    func sameID() async throws {
        let bench = try await Notified()
        func question(_ id: String, _ reply: String, amount: Int = 1000) -> String {
            #"{"template":"lnurlpay_invoice","data":{"amount":\#(amount),"reply_url":"\#(reply)"},"event_id":"\#(id)"}"#
        }
        let first = try invoice(try await bench.handle(question("a", "https://ln.example/r/1")))
        #expect(try invoice(try await bench.handle(question("a", "https://ln.example/r/2"))) == first)
        #expect(try invoice(try await bench.handle(question("b", "https://ln.example/r/1"))) != first)
        #expect(try invoice(try await bench.handle(question("a", "https://ln.example/r/1", amount: 2000))) != first)
    }

    @Test("fifty times at once is one invoice; asked of two accounts it is two")
    func atOnce() async throws {
        let bench = try await Notified()
        var settings = AccountSettings(description: "For bob", backend: .embedded)
        settings.commentAllowed = 0
        _ = try await bench.bench.ledger.putAccount(
            named: .init("bob"), settings: settings, metadata: #"[["text/plain","For bob"]]"#, at: bench.bench.now)
        let responders = [try await bench.notified(), try await bench.notified()]
        let invoices = try await withThrowingTaskGroup(of: String?.self, returning: Set<String?>.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let handled = try await bench.handle(
                        Notified.invoice("1000"), by: responders[index % 2],
                        for: index.isMultiple(of: 5) ? "bob" : "alice")
                    return try handled.json["pr"]?.string
                }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(invoices.count == 2 && !invoices.contains(nil))
        #expect(try await bench.bench.ledger.invoices(InvoiceQuery(now: bench.bench.now)).invoices.count == 2)
    }
}
