import LedgerRecords
import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

/// Answers like the owner's device, from a node of its own, and remembers for whom.
private struct FakeDevice: PayResponder {
    let name: AccountID
    let owner: PublicKey
    var issued = (pr: "lnbcrt1device", hash: [UInt8](repeating: 1, count: 32))
    let asked = Guarded<[String]>([])

    init() throws {
        name = try AccountID("bob@example.com")
        owner = try SecretKey([UInt8](repeating: 8, count: 32)).publicKey
    }

    var kind: RecipientKind { .registered(owner) }
    var account: AccountID? { name }

    private func note(_ question: String) {
        asked.withLock { $0.append("\(question) \(name)") }
    }

    func payRequest(for payer: Payer) async throws(Refusal) -> (request: PayRequest, maxAge: UInt64?) {
        note("info")
        do {
            let request = try PayRequest(
                callback: PayPaths.callback(
                    of: .name(LocalPart(name: name.name)), at: HTTPURL("https://device.example")),
                minSendable: Millisatoshi(7_000), maxSendable: Millisatoshi(8_000), metadata: "[]",
                nostrKey: owner.xOnly)
            return (request, nil)
        } catch {
            throw .unknownAccount
        }
    }

    func payInvoice(
        _ query: CallbackQuery, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> (invoice: PayInvoice, paymentHash: PaymentHash) {
        note("invoice \(query.amount.msat)" + (query.nostr.map { " for \($0)" } ?? ""))
        guard let hash = try? PaymentHash(issued.hash) else { throw .unknownInvoice }
        return (PayInvoice(pr: issued.pr), hash)
    }

    func verify(
        _ paymentHash: PaymentHash, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> VerifyResponse {
        note("verify")
        return VerifyResponse(preimage: nil, pr: issued.pr)
    }

    func invoice(
        answering bytes: [UInt8], to offer: Offer?, issued: IssuedOffer?, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        note("invoice request")
        throw .offerDisabled
    }
}

@Suite("Who answers for a recipient", .timeLimit(.minutes(5)))
struct AnswererTests {
    private let device: FakeDevice
    private let client: HTTPClient

    init() throws {
        device = try FakeDevice()
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

    /// Bob has no account: the device answers for him.
    private var others: Responder.Lookup {
        { [device] recipient in recipient.account == device.name ? device : nil }
    }

    /// A service with the account alice.
    private func with(
        others: Responder.Lookup? = nil, _ body: (TestService, ListenAddress) async throws -> Void
    ) async throws {
        try await RunningService.with(others: others ?? self.others) { service, payers, _, _ in
            try await body(service, payers)
        }
    }

    @Test("LNURL info, callback and verify of a name without an account are the device's, and no account's are")
    func payers() async throws {
        try await with { service, payers in
            #expect(try await ask(payers, "/lnurlp/alice")["minSendable"]?.uint64 == 1000)
            // The device is asked each time: what it answers is not kept.
            for _ in 0..<2 { #expect(try await ask(payers, "/lnurlp/bob")["minSendable"]?.uint64 == 7_000) }
            let here = try await ask(payers, "/lnurlpay/alice/invoice?amount=21000")["pr"]?.string
            #expect(here?.hasPrefix("lnbcrt210n1") == true)
            #expect(try await ask(payers, "/lnurlpay/bob/invoice?amount=7000")["pr"] == "lnbcrt1device")
            let issued = try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements
            #expect(issued.map(\.account.name.text) == ["alice"])
            let hash = try #require(issued.first?.paymentHash.hexadecimal)
            #expect(try await ask(payers, "/lnurlpay/alice/\(hash)")["pr"]?.string == here)
            #expect(try await ask(payers, "/lnurlpay/bob/\(hash)")["pr"] == "lnbcrt1device")
            #expect(try await ask(payers, "/lnurlp/carol")["reason"]?.string == Refusal.unknownAccount.reason)
        }
        #expect(
            device.asked.withLock { $0 } == [
                "info bob@example.com", "info bob@example.com", "invoice 7000 bob@example.com",
                "verify bob@example.com",
            ])
    }

    @Test("Whether an invoice is paid is told after its account was removed")
    func formerAccount() async throws {
        try await with { service, payers in
            let pr = try await ask(payers, "/lnurlpay/alice/invoice?amount=21000")["pr"]
            let hash = try #require(
                try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.first?.paymentHash)
            _ = try await service.ledger.removeAccount(named: AccountID("alice@example.com"))
            try await service.responder.accounts.refresh()
            #expect(try await ask(payers, "/lnurlp/alice")["reason"]?.string == Refusal.unknownAccount.reason)
            #expect(try await ask(payers, "/lnurlpay/alice/\(hash)")["pr"] == pr)
            #expect(try await ask(payers, "/lnurlpay/carol/\(hash)")["reason"]?.string == "Not found")
        }
    }

    @Test("A name is looked up once for each request")
    func lookups() async throws {
        let count = Guarded(0)
        let others = others
        try await with(others: { recipient throws(LedgerFault) in
            count.withLock { $0 += 1 }
            return try await others(recipient)
        }) { service, payers in
            let hash = String(repeating: "1", count: 64)
            let forwarder = Forwarder(service: service)
            let offer = try await forwarder.offer()
            let body = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
            let webhook = try forwarder.path("bob", owner: device.owner)
            for (path, body) in [
                ("/lnurlp/bob", nil), ("/lnurlpay/bob/invoice?amount=7000", nil), ("/lnurlpay/bob/\(hash)", nil),
                (webhook, body),
            ] as [(String, String?)] {
                count.withLock { $0 = 0 }
                _ = try await ask(payers, path, post: body)
                #expect(count.withLock { $0 } == 1, "\(path)")
            }
            count.withLock { $0 = 0 }
            _ = try await ask(payers, "/lnurlp/alice")
            #expect(count.withLock { $0 } == 0)
        }
        #expect(device.asked.withLock { $0.count } == 4)
    }

    @Test("A client that asks too often for names without an account is refused before anybody looks for them")
    func lookupsOverTheLimit() async throws {
        let count = Guarded(0)
        let others = others
        try await RunningService.with(
            rates: ServiceRates([.device: RateLimit(perMinute: 1)]),
            others: { recipient throws(LedgerFault) in
                count.withLock { $0 += 1 }
                return try await others(recipient)
            }
        ) { _, payers, _, _ in
            for name in ["bob", "bob", "carol"] { _ = try await ask(payers, "/lnurlp/\(name)") }
            #expect(count.withLock { $0 } == 1)
            #expect(try await ask(payers, "/lnurlp/alice")["minSendable"]?.uint64 == 1000)
        }
    }

    @Test("A request for an offer at a webhook is answered by whoever answers for the name")
    func webhook() async throws {
        try await with { service, payers in
            let forwarder = Forwarder(service: service)
            let offer = try await forwarder.offer()
            let body = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
            for (name, owner) in [("alice", nil), ("bob", device.owner)] {
                let answer = try await ask(payers, forwarder.path(name, owner: owner), post: body)
                #expect((answer["invoice"] != nil) == (name == "alice"))
                #expect(answer["error"]?.string == (name == "bob" ? RequestRefusal.offerDisabled.reason : nil))
            }
        }
        #expect(device.asked.withLock { $0 } == ["invoice request bob@example.com"])
    }

    @Test(
        "A notification is answered by whoever answers for the name, with every member that the device has given and the sender passes on"
    )
    func notification() async throws {
        let service = try await TestService()
        func answer(_ template: String, _ data: String) async throws -> JSONValue {
            let result = try await handled(
                #"{"template":"\#(template)","data":{\#(data),"reply_url":"https://ln.example/r"}}"#, service, others)
            return try JSONValue(parsing: #require(result.reply).body)
        }
        let info = try await answer("lnurlpay_info", #""callback_url":"https://ln.example/{cb}""#)
        #expect(info["callback"] == "https://ln.example/{cb}" && info["minSendable"]?.uint64 == 7_000)
        #expect(info["nostrPubkey"] == .hexadecimal(device.owner.xOnly.bytes))
        let invoice = try await answer(
            "lnurlpay_invoice", #""amount":7000,"nostr":"zap","verify_url":"https://ln.example/{payment_hash}""#)
        let hash = String(repeating: "01", count: 32)
        #expect(invoice == ["pr": "lnbcrt1device", "routes": [], "verify": .string("https://ln.example/\(hash)")])
        #expect(try await answer("lnurlpay_verify", #""payment_hash":"\#(hash)""#)["pr"] == "lnbcrt1device")
        #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty)
        #expect(
            device.asked.withLock { $0 } == [
                "info bob@example.com", "invoice 7000 for zap bob@example.com", "verify bob@example.com",
            ])
    }

    @Test(
        "While it is unknown who answers for a name, an event fails with its cause and reaches no node",
        arguments: [
            #"{"event":"swap.update","data":{"id":"a","status":"transaction.confirmed"}}"#,
            #"{"template":"payment_received","data":{"payment_hash":"\#(String(repeating: "0", count: 64))"}}"#,
            #"{"template":"tx_confirmed","data":{"tx_id":"a"}}"#,
            #"{"template":"lnurlpay_invoice","data":{"amount":7000,"reply_url":"https://ln.example/r"}}"#,
        ])
    func unknownForEvents(text: String) async throws {
        let result = try await handled(text, TestService()) { _ throws(LedgerFault) in throw .busy }
        #expect(result.record.outcome == .failed && result.cause == LedgerFault.busy.reason)
        #expect(device.asked.withLock { $0 }.isEmpty)
    }

    /// A notification for bob.
    private func handled(
        _ text: String, _ service: TestService, _ others: @escaping Responder.Lookup
    ) async throws -> NotificationResult {
        let responder = NotificationResponder(service.responder.with(others: others))
        return await responder.handle(
            try NotificationReader().read(Array(text.utf8)), for: device.name,
            until: MonotonicTime.now + .seconds(20))
    }

    @Test("While it is unknown who answers for a name, nobody answers for it")
    func unknown() async throws {
        try await with(others: { _ throws(LedgerFault) in throw .busy }) { service, payers in
            for path in ["/lnurlp/bob", "/lnurlpay/bob/invoice?amount=21000"] {
                #expect(try await ask(payers, path)["status"] == "ERROR")
            }
            let forwarder = Forwarder(service: service)
            let offer = try await forwarder.offer()
            let body = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
            #expect(try await ask(payers, forwarder.path("bob", owner: device.owner), post: body)["invoice"] == nil)
            #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty)
        }
    }
}
