import LedgerRecords
import Bolt12
import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

@Suite("The webhook", .timeLimit(.minutes(5)))
struct WebhookTests {
    let service: TestService
    let forwarder: Forwarder

    init() async throws {
        service = try await TestService()
        forwarder = Forwarder(service: service)
    }

    @Test("An invoice request is answered in the response, with an invoice that a careful payer accepts")
    func invoice() async throws {
        let offer = try await forwarder.offer()
        let request = try forwarder.request(offer) { $0.payerNote = "hi" }
        let answer = try await forwarder.forward(request, for: offer)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
        let invoice = try answer.invoice()
        try invoice.check(
            answering: request,
            InvoiceReception(arrival: .viaReplyPath, now: service.clock.now, chains: [ChainHash(.regtest)])
        )
        let recorded = try #require(try await service.ledger.invoice(invoice.paymentHash))
        #expect(recorded.amount == Millisatoshi(21_000))
        #expect(service.metrics.page().contains(#"responder_invoices_issued_total{domain="example.com"} 1"#))
    }

    @Test("The offer may be omitted or in capitals, and the request's key in the alternative spelling")
    func spellings() async throws {
        let offer = try await forwarder.offer()
        let bytes = try forwarder.request(offer).stream.bytes
        for body in [
            Forwarder.body(bytes, offer: nil), Forwarder.body(bytes, offer: offer.text.uppercased()),
            Forwarder.body(bytes, offer: offer.text, key: "invoice_request"),
            Forwarder.body(bytes, offer: offer.text).replacing("invoice.request", with: "invoice\\u002erequest"),
        ] {
            #expect(try await forwarder.post(body).invoice().amount == Millisatoshi(21_000))
        }
    }

    @Test("An unknown account, a wrong secret and an invalid path get the same response")
    func unknown() async throws {
        try await service.put("bob", AccountSettings(description: "Pay Bob", backend: .embedded))
        let offer = try await forwarder.offer()
        let body = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
        let secret = try service.secrets.pathSecret(of: AddressName("alice"), in: service.domain)
        let elsewhere = try await forwarder.post(body, to: "/webhook")
        #expect(elsewhere.status == 404)
        for path in [
            "/webhook/alice", "/webhook/alice/", "/webhook/alice/\(secret.dropLast())", "/webhook/alice/\(secret)0",
            "/webhook/alice/\(secret.uppercased())", "/webhook/bob/\(secret)", "/webhook/carol/\(secret)",
            try forwarder.path("carol"), "/webhook/alice+tag/\(secret)", "/webhook/%zz/\(secret)",
        ] {
            let answer = try await forwarder.post(body, to: path)
            #expect(answer.status == 404, "\(path)")
            #expect(answer.body == elsewhere.body)
            #expect(answer.headers == elsewhere.headers)
        }
        #expect(try await service.ask(forwarder.path()).status == 404)
    }

    @Test(
        "A malformed call is the forwarder's mistake",
        arguments: [
            "", "{", "[]", "null", #"{"event":"invoice.request"}"#, #"{"event":"invoice.request","data":{}}"#,
            #"{"event":"invoice.request","data":{"invoiceRequest":7}}"#,
            #"{"event":"invoice.request","data":{"invoiceRequest":"00","offer":7}}"#,
            #"{"event":"swap.update","data":{"invoiceRequest":"00"}}"#, #"{"data":{"invoiceRequest":"00"}}"#,
            #"{"event":"invoice.request","data":{"invoiceRequest":"0"}}"#,
            #"{"event":"invoice.request","data":{"invoiceRequest":"0g"}}"#,
        ])
    func malformed(body: String) async throws {
        let answer = try await forwarder.post(body)
        #expect(answer.status == 400)
        #expect(answer.invoiceError != nil)
    }

    @Test("A body longer than any request is refused")
    func tooLong() async throws {
        let answer = try await forwarder.post(String(repeating: " ", count: NotificationReader.maximumCount + 1))
        #expect(answer.status == 413)
    }

    @Test("64 KiB of junk are reported as malformed", arguments: [UInt8(0), 1, 0xFD, 0xFF])
    func junk(byte: UInt8) async throws {
        let answer = try await forwarder.post(
            Forwarder.body([UInt8](repeating: byte, count: 65_535), offer: nil))
        #expect(answer.status == 200)
        #expect(answer.invoiceError == "The invoice request is malformed")
    }

    @Test("A request for a different offer is refused, as is a malformed offer")
    func mismatch() async throws {
        let offer = try await forwarder.offer()
        let other = try await forwarder.offer { $0.amount = Millisatoshi(20_000) }
        let request = try forwarder.request(offer)
        for text in [other.text, String(offer.text.dropLast(4)), "lno1", ""] {
            let answer = try await forwarder.post(Forwarder.body(request.stream.bytes, offer: text))
            #expect(answer.status == 200)
            #expect(answer.invoiceError == "The invoice request is not for this offer")
        }
        #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty)
    }

    @Test(
        "The payer is told of the payer's mistakes",
        arguments: [
            (86, nil, "A quantity is needed"), (86, [3], "The quantity must be at most 2"),
            (82, [0xA4, 0x0F], "The amount must be at least 42000 msat"),
            (80, [UInt8](repeating: 7, count: 32), "Payments on that chain are not accepted"),
            (84, [4], "The invoice request requires the unknown feature 2"),
            (240, nil, "The invoice request is not signed"),
            (240, [UInt8](repeating: 7, count: 64), "The signature of the invoice request is wrong"),
            (89, Array("another note".utf8), "The signature of the invoice request is wrong"),
            (88, nil, "The invoice request is malformed"),
        ] as [(UInt64, [UInt8]?, String)])
    func payerErrors(type: UInt64, value: [UInt8]?, reason: String) async throws {
        let offer = try await forwarder.offer { $0.quantityMax = 2 }
        let request = try forwarder.request(offer) { $0.quantity = 2 }
        // The record of that type is omitted or replaced.
        var records = request.stream.records.filter { $0.type != type }
        if let value { records.append(TLVRecord(type: type, value: value)) }
        let bytes = try TLVStream(records.sorted { $0.type < $1.type }).bytes
        let answer = try await forwarder.post(Forwarder.body(bytes, offer: offer.text))
        #expect(answer.status == 200)
        #expect(answer.invoiceError == reason)
        #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty)
    }

    @Test("Our offer with one byte changed is unknown", arguments: [8, 10, 14, 22] as [UInt64])
    func changedOffer(type: UInt64) async throws {
        let offer = try await forwarder.offer { $0.absoluteExpiry = service.clock.now.adding(seconds: 600) }
        let records = offer.stream.records.map { record in
            guard record.type == type else { return record }
            var value = Array(record.value)
            value[0] ^= 1
            return TLVRecord(type: type, value: value)
        }
        let changed = try Offer(bytes: TLVStream(records).bytes)
        let answer = try await forwarder.forward(try forwarder.request(changed), for: changed)
        #expect(answer.status == 200)
        #expect(answer.invoiceError == "This offer is not known here")
    }

    @Test("A request for an offer that is disabled, expired or used up, or of another account, is refused permanently")
    func offerStates() async throws {
        try await service.put("bob", AccountSettings(description: "Pay Bob", backend: .embedded))
        let disabled = try await forwarder.offer { $0.description = "Off" }
        _ = try await service.ledger.disableOffer(disabled.id, at: service.clock.now)
        let single = try await forwarder.offer { $0.maximumPayments = 1 }
        _ = try await forwarder.forward(try forwarder.request(single), for: single).invoice()
        let expired = try await forwarder.offer { $0.absoluteExpiry = service.clock.now }
        service.clock.advance(seconds: 1)
        for (reason, offer) in [
            ("This offer is no longer valid", disabled), ("This offer has been used up", single),
            ("This offer has expired", expired), ("This offer is not known here", try await forwarder.offer(of: "bob")),
        ] {
            let answer = try await forwarder.forward(try forwarder.request(offer, metadata: 2), for: offer)
            #expect(answer.status == 200)
            #expect(answer.invoiceError == reason)
        }
    }

    @Test("The same request a thousand times at once gives one invoice")
    func thousandAtOnce() async throws {
        let offer = try await forwarder.offer()
        let request = try forwarder.request(offer)
        let bodies = try await withThrowingTaskGroup(of: String.self, returning: Set<String>.self) { group in
            for _ in 0..<1000 {
                group.addTask { try await forwarder.forward(request, for: offer).body }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.count == 1)
    }

    @Test("The secret of a webhook depends on the key and the account, and is 128 bits")
    func secrets() throws {
        let alice = try AddressName("alice")
        let other = WebhookSecrets(key: SecretBytes([UInt8](repeating: 8, count: 32)))
        #expect(service.secrets.pathSecret(of: alice, in: service.domain).count == 32)
        #expect(
            service.secrets.pathSecret(of: alice, in: service.domain) != other.pathSecret(of: alice, in: service.domain)
        )
        #expect(
            service.secrets.pathSecret(of: alice, in: service.domain)
                != service.secrets.pathSecret(of: try AddressName("alicf"), in: service.domain))
        #expect(
            !other.isSecret(service.secrets.pathSecret(of: alice, in: service.domain), of: alice, in: service.domain))
        #expect(
            service.secrets.url(of: alice, in: service.domain).text
                == "https://example.com/webhook/alice/" + service.secrets.pathSecret(of: alice, in: service.domain))
    }
}
