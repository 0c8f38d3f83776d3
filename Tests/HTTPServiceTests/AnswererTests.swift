import LedgerRecords
import Bolt12
import EmbeddedNode
import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import OutboundHTTP
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

/// Answers like the owner's device, from a node of its own, and remembers for whom.
private struct FakeDevice: ResponderDirectory.Answerer {
    let invoice = Guarded("lnbcrt1device")
    let asked = Guarded<[String]>([])

    private func note(_ question: String, _ name: AccountID) {
        asked.withLock { $0.append("\(question) \(name)") }
    }

    func payRequest(for recipient: Recipient) async throws(Refusal) -> PayRequest {
        note("info", recipient.account)
        do {
            return try PayRequest(
                callback: PayPaths.callback(of: recipient.localPart, version: 1, at: HTTPURL("https://device.example")),
                minSendable: Millisatoshi(7_000), maxSendable: Millisatoshi(8_000), metadata: "[]")
        } catch {
            throw .unknownAccount
        }
    }

    func payInvoice(
        for recipient: Recipient, version: UInt64?, query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice {
        note("invoice \(query.amount.msat)", recipient.account)
        return PayInvoice(pr: invoice.withLock { $0 })
    }

    func verify(
        _ paymentHash: PaymentHash, of name: AccountID, createdAt: UnixTime?
    ) async throws(Refusal) -> VerifyResponse {
        note("verify", name)
        return VerifyResponse(preimage: nil, pr: invoice.withLock { $0 })
    }

    func invoice(
        answering bytes: [UInt8], to offer: Offer?, for name: AccountID, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        note("invoice request", name)
        throw .offerDisabled
    }
}

@Suite("Who answers for an account", .timeLimit(.minutes(2)))
struct AnswererTests {
    private let device = FakeDevice()
    private let client: HTTPClient

    init() throws {
        var configuration = HTTPClient.Configuration()
        configuration.addressPolicy = AddressPolicy(scope: .any)
        client = try HTTPClient(configuration)
    }

    private func ask(_ address: ListenAddress, _ path: String, post body: String? = nil) async throws -> JSONValue {
        let url = try HTTPURL("http://\(address)\(path)")
        let request =
            if let body {
                HTTPRequest(.post, url, headers: [.jsonContent], body: Array(body.utf8))
            } else {
                HTTPRequest(.get, url)
            }
        return try JSONValue(parsing: try await client.send(request).body)
    }

    /// A service with two accounts: alice is answered here, bob by the device.
    private func with(
        choice: ResponderDirectory.Choice? = nil, _ body: (TestService, ListenAddress) async throws -> Void
    ) async throws {
        let standard: ResponderDirectory.Choice = { [device] account in account.name.text == "bob" ? device : nil }
        try await RunningService.with(choice: choice ?? standard) { service, payers, _, _ in
            try await service.put("bob", AccountSettings(description: "Pay Bob", backend: .embedded))
            try await body(service, payers)
        }
    }

    @Test("LNURL info, callback and verify are answered by whom the account has chosen, and no other account's are")
    func payers() async throws {
        try await with { service, payers in
            #expect(try await ask(payers, "/lnurlp/alice")["minSendable"]?.uint64 == 1000)
            #expect(try await ask(payers, "/lnurlp/bob")["minSendable"]?.uint64 == 7_000)
            let here = try await ask(payers, "/lnurlpay/alice/invoice?amount=21000")["pr"]?.string
            #expect(here?.hasPrefix("lnbcrt210n1") == true)
            #expect(try await ask(payers, "/lnurlpay/bob/invoice?amount=7000")["pr"] == "lnbcrt1device")
            let issued = try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).invoices
            #expect(issued.map(\.account.name.text) == ["alice"])
            let hash = try #require(issued.first?.paymentHash.hexadecimal)
            #expect(try await ask(payers, "/lnurlpay/alice/\(hash)")["pr"]?.string == here)
            #expect(try await ask(payers, "/lnurlpay/bob/\(hash)")["pr"] == "lnbcrt1device")
        }
        #expect(
            device.asked.withLock { $0 } == [
                "info bob@example.com", "invoice 7000 bob@example.com", "verify bob@example.com",
            ])
    }

    @Test("A request for an offer at an account's webhook is answered by whom the account has chosen")
    func webhook() async throws {
        try await with { service, payers in
            let forwarder = Forwarder(service: service)
            for account in ["alice", "bob"] {
                let offer = try await forwarder.offer(of: account)
                let body = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
                let answer = try await ask(payers, forwarder.path(account), post: body)
                #expect((answer["invoice"] != nil) == (account == "alice"))
                #expect(answer["error"]?.string == (account == "bob" ? RequestRefusal.offerDisabled.reason : nil))
            }
        }
        #expect(device.asked.withLock { $0 } == ["invoice request bob@example.com"])
    }

    @Test("A notification that asks for an invoice is answered by whom the account has chosen, not by our node")
    func notification() async throws {
        let sink = try ReplySink()
        try await with { service, payers in
            let path = try Forwarder(service: service).path("bob")
            let made = try await service.node.createInvoice(
                InvoiceOrder(amount: Millisatoshi(7_000), description: .text("x"), expiry: 60, label: "device"))
            device.invoice.withLock { $0 = made.bolt11 }
            let questions = [
                #""template":"lnurlpay_info","data":{"callback_url":"https://ln.example/cb","#,
                #""template":"lnurlpay_invoice","data":{"amount":7000,"#,
                #""template":"lnurlpay_verify","data":{"payment_hash":"\#(String(repeating: "0", count: 64))","#,
            ]
            for (number, question) in questions.enumerated() {
                let url = sink.url("\(number)")
                let response = try await client.send(
                    HTTPRequest(
                        .post, HTTPURL("http://\(payers)\(path)"),
                        body: Array(#"{\#(question)"reply_url":"\#(url)"}}"#.utf8)))
                #expect(response.status == 200)
            }
            let info = try JSONValue(parsing: try await sink.reply("0").body)
            #expect(info["callback"] == "https://ln.example/cb" && info["minSendable"]?.uint64 == 7_000)
            for number in 1...2 {
                #expect(try JSONValue(parsing: try await sink.reply("\(number)").body)["pr"]?.string == made.bolt11)
            }
            #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).invoices.isEmpty)
        }
        #expect(
            Set(device.asked.withLock { $0 }) == [
                "info bob@example.com", "invoice 7000 bob@example.com", "verify bob@example.com",
            ])
    }

    @Test(
        "An invoice of another answerer is passed on only if it is BOLT11 of the amount that is asked",
        arguments: [nil, 8_000 as UInt64])
    func wrongInvoice(amount: UInt64?) async throws {
        let service = try await TestService()
        if let amount {
            let made = try await service.node.createInvoice(
                InvoiceOrder(amount: Millisatoshi(amount), description: .text("x"), expiry: 60, label: "device"))
            device.invoice.withLock { $0 = made.bolt11 }
        }
        let result = try await handled(
            #"{"template":"lnurlpay_invoice","data":{"amount":7000,"reply_url":"https://ln.example/r"}}"#, service
        ) { [device] _ in device }
        #expect(result.record.outcome == .failed)
        #expect(try JSONValue(parsing: #require(result.reply).body)["status"] == "ERROR")
    }

    @Test(
        "While it is unknown whom an account has chosen, an event fails with its cause and reaches no node",
        arguments: [
            #"{"event":"swap.update","data":{"id":"a","status":"transaction.confirmed"}}"#,
            #"{"template":"payment_received","data":{"payment_hash":"\#(String(repeating: "0", count: 64))"}}"#,
            #"{"template":"tx_confirmed","data":{"tx_id":"a"}}"#,
            #"{"template":"lnurlpay_invoice","data":{"amount":7000,"reply_url":"https://ln.example/r"}}"#,
        ])
    func unknownForEvents(text: String) async throws {
        let result = try await handled(text, TestService()) { _ throws(Refusal.Cause) in throw .ledger(.busy) }
        #expect(result.record.outcome == .failed && result.cause == LedgerFault.busy.reason)
        #expect(device.asked.withLock { $0 }.isEmpty)
    }

    private func handled(
        _ text: String, _ service: TestService, _ choice: @escaping ResponderDirectory.Choice
    ) async throws -> NotificationResult {
        let responder = NotificationResponder(
            service.responder, directory: ResponderDirectory(standard: service.responder, choice: choice))
        return await responder.handle(
            try NotificationReader().read(Array(text.utf8)), for: try AccountID("alice@example.com"),
            until: MonotonicTime.now + .seconds(20))
    }

    @Test("While it is unknown whom an account has chosen, nobody answers for it")
    func unknown() async throws {
        let broken: ResponderDirectory.Choice = { _ throws(Refusal.Cause) in throw .ledger(.busy) }
        try await with(choice: broken) { service, payers in
            for path in ["/lnurlp/bob", "/lnurlpay/bob/invoice?amount=21000"] {
                #expect(try await ask(payers, path)["status"] == "ERROR")
            }
            let forwarder = Forwarder(service: service)
            let offer = try await forwarder.offer(of: "bob")
            let body = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
            #expect(try await ask(payers, forwarder.path("bob"), post: body)["invoice"] == nil)
            #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).invoices.isEmpty)
        }
    }
}
