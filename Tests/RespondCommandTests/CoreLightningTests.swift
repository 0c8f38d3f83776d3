#if os(Linux)
import Bolt11
import LightningCoding
import Locking
import Receiving
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("One notification, answered with a Core Lightning node", .timeLimit(.minutes(2)))
struct CoreLightningTests {
    private let bench: RespondBench
    private let options: [String]
    private var socket: String { bench.temporary.path + "/lightning-rpc" }

    init() throws {
        bench = try RespondBench()
        let file = bench.temporary.path + "/responder.yaml"
        let socket = bench.temporary.path + "/lightning-rpc"
        let yaml = "backends:\n  node:\n    kind: core-lightning\n    socket: \(socket)\n"
        try writeFile(Array(yaml.utf8), to: file)
        options = ["--config", file, "--json"]
    }

    @Test("The invoice is the node's, it is posted and taken, and it is written down before")
    func answered() async throws {
        let node = try PlayedLightningd(path: socket)
        let ended = try await bench.run(bench.invoiceRequest(), options)
        #expect(ended.status == 0, "\(ended.errors) \(ended.output)")
        let sent = try #require(try bench.sentInvoices().first)
        #expect(node.invoices.withLock { $0 } == [sent])
        let invoice = try Bolt11Invoice(sent)
        #expect(invoice.amount == Millisatoshi(21_000))
        let kept = try #require(try await bench.ledger().invoice(invoice.paymentHash))
        #expect(kept.bolt11 == sent)
        #expect(kept.backend == BackendName("node"))
    }

    @Test(
        "Without the socket the payer gets an honest error, which is taken: 1"
    )
    func missing() async throws {
        let ended = try await bench.run(bench.invoiceRequest(), options)
        #expect(ended.status == 1, "\(ended.errors) \(ended.output)")
        let reply = try JSONValue(parsing: try #require(bench.replies.first))
        #expect(reply["status"] == "ERROR")
        #expect(reply["reason"] == "Temporarily unavailable; please try again later")
        let json = try ended.json()
        #expect(json["outcome"] == "failed")
        #expect(json["text"]?["title"] == "Receive Payment Failed")
        let events = try await bench.ledger().events(EventQuery()).events
        #expect(events.map(\.outcome) == [.failed])
        #expect(events.first?.paymentHash == nil)
    }
}
#endif
