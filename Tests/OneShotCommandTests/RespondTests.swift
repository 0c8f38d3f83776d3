#if os(Linux)
import LedgerRecords
import Bolt11
import LNURL
import LightningCoding
import LoopbackServer
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("One notification, one process", .timeLimit(.minutes(5)))
struct RespondTests {
    @Test("In a new folder alice is created, the reply is posted and accepted, and everything is recorded")
    func fresh() async throws {
        let fixture = try RespondFixture()
        let ended = try await fixture.run(fixture.invoiceRequest(), ["--json"])
        #expect(ended.status == 0, "\(ended.errors)")
        let json = try ended.json()
        #expect(json["account"] == "alice" && json["outcome"] == "answered")
        #expect(json["delivery"]?["outcome"] == "taken")
        #expect(json["text"]?["title"] == "Fetching Invoice")
        let sent = try #require(try fixture.sentInvoices().first)
        let invoice = try Bolt11Invoice(sent)
        #expect(invoice.amount == Millisatoshi(21_000))
        let ledger = try await fixture.ledger()
        #expect(try await ledger.accounts().map(\.name.text) == ["alice"])
        #expect(try await ledger.invoice(invoice.paymentHash)?.bolt11 == sent)
        let events = try await ledger.events(EventQuery()).elements
        #expect(events.map(\.delivery) == [.taken])
        #expect(events.first?.paymentHash == invoice.paymentHash)
    }

    @Test(
        "It exits with 0 only when the reply was accepted",
        arguments: [(200, 0), (204, 1), (404, 1), (500, 1), (302, 1), (429, 69), (503, 69)] as [(Int, Int32)])
    func statuses(answer: Int, status: Int32) async throws {
        let fixture = try RespondFixture { connection in
            while connection.readRequest() != nil { connection.write(LoopbackAnswer(status: answer, "").bytes) }
        }
        // Retryable failures are retried until the deadline.
        let options = status == 69 ? ["--notifications-deadline", "2"] : []
        #expect(try await fixture.run(fixture.invoiceRequest(), options).status == status)
    }

    @Test(
        "A question about an unknown invoice exits with 1, posted or in a dry run",
        arguments: [[], ["--dry-run"]])
    func unknownInvoice(arguments: [String]) async throws {
        let fixture = try RespondFixture()
        let hash = String(repeating: "0", count: 64)
        let url = "http://127.0.0.1:\(fixture.server.port)/response/1"
        let ended = try await fixture.run(
            #"{"template":"lnurlpay_verify","data":{"payment_hash":"\#(hash)","reply_url":"\#(url)"}}"#,
            ["--json"] + arguments)
        #expect(ended.status == 1)
        #expect(try ended.json()["reply"]?["body"]?["reason"] == "Not found")
        #expect(fixture.replies.count == (arguments.isEmpty ? 1 : 0))
    }

    @Test("A reply whose response could not be read is uncertain, which has its own exit code")
    func uncertain() async throws {
        let fixture = try RespondFixture { connection in _ = connection.readRequest() }
        let ended = try await fixture.run(fixture.invoiceRequest(), ["--json"])
        #expect(ended.status == 75)
        #expect(try ended.json()["delivery"]?["outcome"] == "uncertain")
        #expect(try await fixture.ledger().events(EventQuery()).elements.map(\.delivery) == [.uncertain])
    }

    @Test(
        "A custom type is answered by its program, with the exit codes and events of built-in types",
        arguments: [
            (#""result":{"reply":{"accepted":true},"text":{"title":"Order"}}"#, 0, EventRecord.Outcome.answered),
            (#""result":{"reply":{"status":"ERROR","reason":"sold out"}}"#, 1, .refused),
            (#""result":{}"#, 0, .done), (#""error":{"code":"refused","message":"sold out"}"#, 1, .refused),
            (#""error":{"code":"unavailable"}"#, 69, .failed), (#""result":{"reply":7}"#, 69, .failed),
        ])
    func handled(answer: String, status: Int32, outcome: EventRecord.Outcome) async throws {
        let fixture = try RespondFixture()
        let script = "read line; echo '{\"id\":1,\(answer)}'; cat >/dev/null"
        try writeFile(Array(script.utf8), to: fixture.temporary.path + "/handler.sh")
        let file = fixture.temporary.path + "/config.yaml"
        let yaml =
            "notifications: {handlers: {shop_order: {command: [/bin/sh, '\(fixture.temporary.path)/handler.sh']}}}\n"
        try writeFile(Array(yaml.utf8), to: file)
        let url = "http://127.0.0.1:\(fixture.server.port)/response/1"
        let ended = try await fixture.run(
            #"{"event":"shop_order","data":{"order":7,"reply_url":"\#(url)"}}"#, ["--config", file, "--json"])
        #expect(ended.status == status, "\(ended.errors) \(ended.output)")
        #expect(fixture.replies.count == (answer.contains(#""reply":{"#) ? 1 : 0))
        let json = try ended.json()
        #expect(json["outcome"]?.string == outcome.rawValue)
        #expect(json["text"]?["title"]?.string == (answer.contains("Order") ? "Order" : nil))
        #expect(
            ended.errors.contains("the handler of shop_order") == (outcome == .failed || answer.contains("error\"")))
        #expect(try await fixture.ledger().events(EventQuery()).elements.map(\.outcome) == [outcome])
    }

    @Test("Replies are posted to loopback only when allowed")
    func forbidden() async throws {
        let fixture = try RespondFixture()
        let ended = try await fixture.run(fixture.invoiceRequest(), ["--replies-proxy", "socks5h://127.0.0.1:1"])
        #expect(ended.status == 1)
        #expect(fixture.replies.isEmpty)
    }

    @Test("A dry run prints the reply, posts nothing and logs nothing")
    func dryRun() async throws {
        let fixture = try RespondFixture()
        let ended = try await fixture.run(fixture.invoiceRequest(), ["--dry-run", "--json"])
        #expect(ended.status == 0)
        #expect(try ended.json()["reply"]?["body"]?["pr"]?.string?.hasPrefix("lnbcrt") == true)
        #expect(fixture.replies.isEmpty)
        #expect(try await fixture.ledger().events(EventQuery()).elements.isEmpty)
    }

    @Test(
        "A malformed notification, or one of unknown type, is damaged input",
        arguments: ["", "{", "[]", "{}", #"{"template":"lnurlpay_info","data":{}}"#, #"{"template":"x","data":{}}"#])
    func unreadable(notification: String) async throws {
        let fixture = try RespondFixture()
        #expect(try await fixture.run(notification).status == 65)
    }

    @Test("With several accounts one must be named, and it must exist")
    func accounts() async throws {
        let fixture = try RespondFixture()
        #expect(try await fixture.run(fixture.invoiceRequest()).status == 0)
        let ledger = try await fixture.ledger()
        _ = try await ledger.putAccount(
            named: AccountID("bob@127.0.0.1:8080"), settings: AccountSettings(description: "Bob", backend: .embedded),
            metadata: #"[["text/plain","Bob"]]"#, at: .now())
        #expect(try await fixture.run(fixture.invoiceRequest()).status == 64)
        #expect(try await fixture.run(fixture.invoiceRequest(), ["--account", "carol"]).status == 1)
        let ended = try await fixture.run(fixture.invoiceRequest(22_000), ["--account", "bob", "--json"])
        #expect(ended.status == 0)
        #expect(try ended.json()["account"] == "bob")
    }

    @Test(
        "A wrong command line is reported, as JSON when requested",
        arguments: [["--bogus"], ["--account"], ["extra"], ["--dry-run=yes"]])
    func usage(arguments: [String]) async throws {
        let fixture = try RespondFixture()
        let ended = try await fixture.run("{}", ["--json"] + arguments)
        #expect(ended.status == 64)
        #expect(try ended.json()["error"]?["code"] == 64)
    }

    @Test("The help explains every option")
    func help() async throws {
        let ended = try await RespondFixture().run("", ["--help"])
        #expect(ended.status == 0)
        for option in ["--notification", "--account", "--dry-run", "--json", "--config", "--rates-network"] {
            #expect(ended.output.contains(option))
        }
    }

    @Test("Many concurrent processes on one ledger lose nothing")
    func many() async throws {
        let fixture = try RespondFixture()
        #expect(try await fixture.run(fixture.invoiceRequest(1_000)).status == 0)
        let statuses = try await withThrowingTaskGroup(of: Int32.self, returning: [Int32].self) { group in
            for number in UInt64(1)...24 {
                group.addTask { try await fixture.run(fixture.invoiceRequest(1_000 + number * 1_000)).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 0 })
        let ledger = try await fixture.ledger()
        let sent = try fixture.sentInvoices()
        #expect(Set(sent).count == 25)
        #expect(try await ledger.invoices(InvoiceQuery(now: .now(), limit: 100)).elements.count == 25)
        #expect(try await ledger.events(EventQuery(limit: 100)).elements.count { $0.delivery == .taken } == 25)
        #expect(try await ledger.check().findings.isEmpty)
    }

    @Test("When killed at any moment, no invoice that was sent is missing from the ledger")
    func killed() async throws {
        let fixture = try RespondFixture()
        #expect(try await fixture.run(fixture.invoiceRequest(1_000)).status == 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt64(1)...40 {
                group.addTask {
                    _ = try await fixture.run(
                        fixture.invoiceRequest(1_000 + number * 1_000), killedAfter: Double(number) * 0.01)
                }
                if number % 4 == 0 { try await group.waitForAll() }
            }
        }
        let ledger = try await fixture.ledger()
        for text in try fixture.sentInvoices() {
            #expect(try await ledger.invoice(Bolt11Invoice(text).paymentHash)?.bolt11 == text)
        }
        #expect(try await ledger.check().findings.isEmpty)
    }
}
#endif
