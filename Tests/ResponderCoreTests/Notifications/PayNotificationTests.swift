import LedgerRecords
import Bolt11
import EmbeddedNode
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("A payer's request by notification", .timeLimit(.minutes(5)))
struct PayNotificationTests {
    typealias Notified = NotificationFixture

    @Test("Info: the callback unchanged, the node's limits now, the metadata, cacheable for a minute")
    func info() async throws {
        let fixture = try await Notified()
        let callback = #"https://ln.example/lnurlpay/test{user}%C3%A9/ü?a=\\u0026&c"#
        let handled = try await fixture.handle(Notified.info(callback: callback))
        #expect(
            handled.text8 == """
                {"callback":"\(callback)","minSendable":1000,"maxSendable":10000000000,\
                "metadata":"[[\\"text/plain\\",\\"For alice\\"],[\\"text/identifier\\",\\"alice@pay.example.com\\"]]",\
                "commentAllowed":255,"tag":"payRequest"}
                """)
        #expect(handled.reply?.cacheControl == "max-age=60")
        #expect(handled.reply?.isError == false)
        #expect(handled.text == NotificationText(title: "Retrieving Payment Information", lifetime: .replaceable))
        #expect(handled.failureText == NotificationText(title: "Receive Payment Failed", lifetime: .replaceable))
    }

    @Test("Without comments there is no `commentAllowed`; payer data is never requested")
    func narrowInfo() async throws {
        let fixture = try await Notified {
            $0.commentAllowed = 0
            $0.payerData = PayerDataSpec([.name: .mandatory])
            $0.minSendable = Millisatoshi(5000)
            $0.maxSendable = Millisatoshi(9999)
        }
        let json = try await fixture.handle(Notified.info()).json
        #expect(json.object?.members.map(\.key) == ["callback", "minSendable", "maxSendable", "metadata", "tag"])
        #expect(json["minSendable"] == 5000 && json["maxSendable"] == 9999)
        let handled = try await fixture.handle(Notified.invoice("5000"))
        #expect(try handled.json["pr"] != nil)
        #expect(
            try await fixture.handle(Notified.invoice("5000", more: #","comment":"x""#)).text8
                == #"{"status":"ERROR","reason":"Comment is too long"}"#)
    }

    @Test("Limits that do not overlap give an error instead of an invalid range")
    func noLimits() async throws {
        let fixture = try await Notified { $0.minSendable = Millisatoshi(10_000_000_001) }
        for text in [Notified.info(), Notified.invoice("1000")] {
            let handled = try await fixture.handle(text)
            #expect(handled.text8 == #"{"status":"ERROR","reason":"Minimum sendable amount is invalid"}"#)
            #expect(handled.reply?.maxAge == nil)
            #expect(handled.text?.title == "Receive Payment Failed")
        }
    }

    @Test("Invoice: for the exact amount in msat, committing to the metadata, with every hash in its place")
    func invoice() async throws {
        let fixture = try await Notified()
        let template = "https://ln.example/{payment_hash}/a/{payment_hash}?{x}"
        let handled = try await fixture.handle(
            Notified.invoice("1500", more: #","comment":"hi","verify_url":"\#(template)","nostr":"{}""#))
        let json = try handled.json
        #expect(json.object?.members.map(\.key) == ["pr", "routes", "verify"])
        #expect(json["routes"] == [])
        #expect(handled.reply?.cacheControl == nil)
        let invoice = try Bolt11Invoice(json["pr"]?.string ?? "")
        #expect(invoice.amount == Millisatoshi(1500))
        let account = try #require(try await fixture.fixture.ledger.account(named: fixture.fixture.alice()))
        #expect(invoice.description == .hash(PayMetadata.descriptionHash(of: account.metadata)))
        let hash = invoice.paymentHash.hexadecimal
        #expect(json["verify"] == .string("https://ln.example/\(hash)/a/\(hash)?{x}"))
        let recorded = try #require(try await fixture.fixture.ledger.invoice(invoice.paymentHash))
        #expect(recorded.origin == .lnurl(.init(metadataVersion: 1, comment: "hi")))
        #expect(handled.record.paymentHash == invoice.paymentHash)
        #expect(handled.text?.title == "Fetching Invoice")
    }

    @Test("Without a template there is no `verify`, and never an action or `disposable`")
    func plainInvoice() async throws {
        let fixture = try await Notified { $0.successAction = .message(try! ActionText("Thanks")) }
        for more in [#","verify_url":null,"comment":null"#, #","verify_url":"","comment":"""#, ""] {
            let json = try await fixture.handle(Notified.invoice("1000", more: more)).json
            #expect(json.object?.members.map(\.key) == ["pr", "routes"])
        }
    }

    @Test(
        "An amount beyond the limits is refused, and the text names the amount",
        arguments: ["0", "4999", "10000000001", "9223372036854775808", "18446744073709551615"])
    func amounts(amount: String) async throws {
        let fixture = try await Notified { $0.minSendable = Millisatoshi(5000) }
        let handled = try await fixture.handle(Notified.invoice(amount))
        #expect(handled.text8 == #"{"status":"ERROR","reason":"Invalid amount requested \#(amount)"}"#)
        #expect(handled.record.outcome == .refused)
        let page = try await fixture.fixture.ledger.invoices(InvoiceQuery(now: fixture.fixture.now))
        #expect(page.elements.isEmpty)
    }

    @Test("Less than a sat is refused where nobody allows it")
    func leastAmount() async throws {
        let fixture = try await Notified()
        #expect(
            try await fixture.handle(Notified.invoice("999")).text8
                == #"{"status":"ERROR","reason":"Invalid amount requested 999"}"#)
        #expect(try await fixture.handle(Notified.invoice("1000")).json["pr"] != nil)
    }

    @Test("With a node of whole satoshis the limits are whole satoshis, and fractions are refused")
    func wholeSatoshis() async throws {
        let fixture = try await Notified()
        let limits = try #require(ReceiveLimits(minimum: Millisatoshi(1001), maximum: Millisatoshi(9999)))
        let responder = try await fixture.notified(
            in: StubNode(fixture.fixture.node) {
                $0.capabilities.precision = .wholeSatoshi
                $0.limitsNow = { () throws(BackendFault) in limits }
            })
        let info = try await fixture.handle(Notified.info(), by: responder).json
        #expect(info["minSendable"] == 2000 && info["maxSendable"] == 9000)
        #expect(
            try await fixture.handle(Notified.invoice("2500"), by: responder).text8
                == #"{"status":"ERROR","reason":"Invalid amount requested 2500"}"#)
        #expect(try await fixture.handle(Notified.invoice("2000"), by: responder).json["pr"] != nil)
    }

    @Test("A comment of 255 characters is accepted, one more is not")
    func comments() async throws {
        let fixture = try await Notified()
        let family = "👨‍👩‍👧‍👦"
        let longest = String(repeating: family, count: 255)
        #expect(
            try await fixture.handle(Notified.invoice("1000", more: #","comment":"\#(longest)""#)).json["pr"] != nil)
        let handled = try await fixture.handle(Notified.invoice("1000", more: #","comment":"\#(longest)x""#))
        #expect(handled.text8 == #"{"status":"ERROR","reason":"Comment is too long"}"#)
    }

    @Test("Verify: for every LNURL invoice of that account, with the preimage once it is paid")
    func verify() async throws {
        let fixture = try await Notified()
        let pr = try #require(try await fixture.handle(Notified.invoice("1000")).json["pr"]?.string)
        let hash = try Bolt11Invoice(pr).paymentHash
        let open = try await fixture.handle(Notified.verify(hash.hexadecimal.uppercased()))
        #expect(open.text8 == #"{"status":"OK","settled":false,"preimage":null,"pr":"\#(pr)"}"#)
        #expect(open.reply?.cacheControl == "max-age=3")
        fixture.fixture.advance(seconds: 10_000)
        #expect(try await fixture.handle(Notified.verify(hash.hexadecimal)).text8 == open.text8)
        fixture.fixture.time.withLock { $0 = UnixTime(1_790_000_001) }
        try await fixture.fixture.settle(hash)
        let settled = try await fixture.handle(Notified.verify(hash.hexadecimal))
        let preimage = try #require(try await fixture.fixture.ledger.invoice(hash)?.settlement?.preimage)
        #expect(
            settled.text8
                == #"{"status":"OK","settled":true,"preimage":"\#(preimage.hexadecimal)","pr":"\#(pr)"}"#)
        #expect(settled.reply?.cacheControl == "max-age=604800")
        #expect(settled.record.answer?.contains(preimage.hexadecimal) == false)
    }

    @Test("Invoices that were not issued over LNURL for that account are not found", arguments: ["recover", "00"])
    func notFound(hash: String) async throws {
        let fixture = try await Notified()
        let error = #"{"status":"ERROR","reason":"Not found"}"#
        #expect(try await fixture.handle(Notified.verify(hash)).text8 == error)
        #expect(try await fixture.handle(Notified.verify(String(repeating: "00", count: 32))).text8 == error)
        let pr = try #require(try await fixture.handle(Notified.invoice("1000")).json["pr"]?.string)
        let handled = try await fixture.handle(Notified.verify(Bolt11Invoice(pr).paymentHash.hexadecimal), for: "bob")
        #expect(handled.text8 == error)
        #expect(handled.reply?.cacheControl == nil)
        #expect(handled.text?.title == "Payment Verification Failed")
    }

    @Test("A process without a follower queries the node about the payment")
    func askingTheNode() async throws {
        let fixture = try await Notified()
        let responder = try await fixture.notified(asksNode: true)
        let pr = try #require(try await fixture.handle(Notified.invoice("1000")).json["pr"]?.string)
        let hash = try Bolt11Invoice(pr).paymentHash
        #expect(try await fixture.handle(Notified.verify(hash.hexadecimal), by: responder).json["settled"] == false)
        try await fixture.fixture.node.settle(hash, at: fixture.fixture.now)
        #expect(try await fixture.handle(Notified.verify(hash.hexadecimal), by: responder).json["settled"] == true)
        #expect(try await fixture.handle(Notified.verify(hash.hexadecimal)).json["settled"] == false)
    }

    @Test("Unknown accounts and failing nodes give an error in the protocol's format")
    func failures() async throws {
        let fixture = try await Notified()
        #expect(
            try await fixture.handle(Notified.info(), for: "nobody").text8
                == #"{"status":"ERROR","reason":"No such Lightning address"}"#)
        let reasons: [(BackendFault, String)] = [
            (.unreachable("secret words"), "Temporarily unavailable; please try again later"),
            (.timedOut, "Temporarily unavailable; please try again later"),
            (.storage("secret words"), "Temporarily unavailable; please try again later"),
            (.refused("secret words"), "No invoice can be made for this payment"),
            (.malformedAnswer("secret words"), "No invoice can be made for this payment"),
            (.nothingReceivable, "Nothing can be received at the moment; please try again later"),
        ]
        for (fault, reason) in reasons {
            let responder = try await fixture.notified(
                in: StubNode(fixture.fixture.node) { $0.make = { _ throws(BackendFault) in throw fault } })
            let handled = try await fixture.handle(Notified.invoice("1000"), by: responder)
            #expect(handled.text8 == #"{"status":"ERROR","reason":"\#(reason)"}"#)
            #expect(handled.record.outcome == .failed)
            #expect(handled.cause?.contains("embedded") == true)
        }
    }
}
