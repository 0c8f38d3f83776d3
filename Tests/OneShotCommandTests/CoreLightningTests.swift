#if os(Linux)
import LedgerRecords
import Bolt11
import LightningCoding
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("One notification, answered with a Core Lightning node", .timeLimit(.minutes(5)))
struct CoreLightningTests {
    private let fixture: RespondFixture
    private let options: [String]
    private var socket: String { fixture.temporary.path + "/lightning-rpc" }

    init() throws {
        fixture = try RespondFixture()
        let file = fixture.temporary.path + "/responder.yaml"
        let socket = fixture.temporary.path + "/lightning-rpc"
        let yaml = "backends:\n  node:\n    kind: core-lightning\n    socket: \(socket)\n"
        try writeFile(Array(yaml.utf8), to: file)
        options = ["--config", file, "--json"]
    }

    @Test("The invoice is the node's; it is recorded before it is posted and accepted")
    func answered() async throws {
        let node = try FakeLightningd(path: socket)
        let ended = try await fixture.run(fixture.invoiceRequest(), options)
        #expect(ended.status == 0, "\(ended.errors) \(ended.output)")
        let sent = try #require(try fixture.sentInvoices().first)
        #expect(node.invoices.withLock { $0 } == [sent])
        let invoice = try Bolt11Invoice(sent)
        #expect(invoice.amount == Millisatoshi(21_000))
        let kept = try #require(try await fixture.ledger().invoice(invoice.paymentHash))
        #expect(kept.bolt11 == sent)
        #expect(kept.backend == BackendName("node"))
    }

    @Test("An invoice that is not what was ordered is not posted, and what is left to do is kept for the service")
    func mismatch() async throws {
        let node = try FakeLightningd(path: socket, excess: 1)
        let ended = try await fixture.run(fixture.invoiceRequest(), options)
        #expect(ended.status == 1, "\(ended.errors) \(ended.output)")
        #expect(ended.errors.contains("node returned an invoice that does not match the order: its amount differs"))
        #expect(try fixture.sentInvoices().isEmpty)
        let invoice = try Bolt11Invoice(try #require(node.invoices.withLock { $0 }.first))
        // This node does not answer how the invoice stands, so that it cannot be canceled.
        let work = try #require(try await fixture.ledger().outbox(OutboxQuery()).elements.first)
        #expect(work.attempts == 1 && work.failure?.hasPrefix("the node did not cancel it") == true)
        #expect(InvoiceMismatch(work)?.paymentHash == invoice.paymentHash)
    }

    @Test(
        "Without the socket the payer gets an error reply, which is accepted: exit code 1"
    )
    func missing() async throws {
        let ended = try await fixture.run(fixture.invoiceRequest(), options)
        #expect(ended.status == 1, "\(ended.errors) \(ended.output)")
        let reply = try JSONValue(parsing: try #require(fixture.replies.first))
        #expect(reply["status"] == "ERROR")
        #expect(reply["reason"] == "Temporarily unavailable; please try again later")
        let json = try ended.json()
        #expect(json["outcome"] == "failed")
        #expect(json["text"]?["title"] == "Receive Payment Failed")
        let events = try await fixture.ledger().events(EventQuery()).elements
        #expect(events.map(\.outcome) == [.failed])
        #expect(events.first?.paymentHash == nil)
    }
}
#endif
