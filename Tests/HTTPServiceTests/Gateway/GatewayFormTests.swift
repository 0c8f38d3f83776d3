import Bolt12
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing

@Suite("Offers, zaps and domains of app users", .timeLimit(.minutes(5)))
struct GatewayFormTests {
    private func answer(to forwarder: Forwarder, _ phone: Phone, _ body: String) async throws -> Answer {
        try await phone.fixture.ask(
            try forwarder.path("phone", owner: phone.device.key.publicKey), .post, body: body)
    }

    @Test("A BOLT12 request for a phone's offer is answered by the phone", arguments: [false, true])
    func offers(inResponse: Bool) async throws {
        let phone = try Phone(try await GatewayFixture())
        let offer = try phone.device.offer()
        try await phone.fixture.register(phone.device, as: "phone", offer: offer.text)
        phone.device.answersInResponse.withLock { $0 = inResponse }
        let forwarder = Forwarder(service: phone.fixture.service)
        let request = try forwarder.request(offer) { $0.amount = Millisatoshi(21_000) }
        let body = Forwarder.body(request.stream.bytes, offer: offer.text)
        let answer = try await answer(to: forwarder, phone, body)
        #expect(answer.status == 200)
        let invoice = try answer.invoice()
        #expect(invoice.amount == Millisatoshi(21_000))
        let asked = try await phone.device.question(0)
        #expect(asked["event"] == "invoice.request")
        #expect(asked["data"]?["invoiceRequest"]?.string == Hexadecimal.encode(request.stream.bytes))
        #expect(asked["data"]?["offer"]?.string == offer.text)
    }

    @Test(
        "A request that is not for the phone's offer, or is not signed, wakes no phone; other notifications are not taken"
    )
    func otherOffers() async throws {
        let phone = try Phone(try await GatewayFixture())
        try await phone.fixture.register(phone.device, as: "phone", offer: try phone.device.offer().text)
        let forwarder = Forwarder(service: phone.fixture.service)
        let other = try phone.device.offer("coffee")
        let request = try forwarder.request(other) { $0.amount = Millisatoshi(21_000) }
        for offer in [other.text, nil] {
            let answer = try await answer(to: forwarder, phone, Forwarder.body(request.stream.bytes, offer: offer))
            #expect(answer.invoiceError != nil)
        }
        let paid = #"{"template":"payment_received","data":{"payment_hash":"\#(try TestDevice.paymentHash)"}}"#
        #expect(try await answer(to: forwarder, phone, paid).status == 404)
        let stranger = try await phone.fixture.ask("/webhook/phone/wrong", .post, body: paid)
        #expect(stranger.status == 404)
        #expect(phone.device.questions.isEmpty)
    }

    @Test("A forwarder of a name's former owner is not heard when another has registered the name")
    func formerForwarder() async throws {
        let fixture = try await GatewayFixture(rules: RegistrationRules(hold: 0))
        let (phone, next) = (try Phone(fixture), try Phone(fixture, number: 0x22))
        let forwarder = Forwarder(service: fixture.service)
        func ask(by owner: PublicKey?) async throws -> Int {
            let offer = try next.device.offer()
            let body = Forwarder.body(
                try forwarder.request(offer) { $0.amount = Millisatoshi(21_000) }.stream.bytes, offer: offer.text)
            return try await fixture.ask(try forwarder.path("phone", owner: owner), .post, body: body).status
        }
        try await fixture.register(phone.device, as: "phone", offer: try phone.device.offer().text)
        let time = Int64(fixture.service.clock.now.seconds)
        let gone = try phone.device.statement(time: time).serialized()
        #expect(try await fixture.ask("/lnurlpay/\(phone.device.publicKey)", .delete, body: gone).status == 200)
        try await fixture.register(next.device, as: "phone", offer: try next.device.offer().text)
        #expect(try await ask(by: phone.device.key.publicKey) == 404)
        #expect(try await ask(by: nil) == 404)
        #expect(next.device.questions.isEmpty)
        #expect(try await ask(by: next.device.key.publicKey) == 200)
    }

    @Test("A BOLT12 invoice that is not what was asked is not passed on", arguments: [20_999, 21_001] as [UInt64])
    func wrongOfferedAmount(amount: UInt64) async throws {
        let phone = try Phone(try await GatewayFixture())
        let offer = try phone.device.offer()
        try await phone.fixture.register(phone.device, as: "phone", offer: offer.text)
        let forwarder = Forwarder(service: phone.fixture.service)
        func request(_ amount: UInt64) throws -> InvoiceRequest {
            try forwarder.request(offer) { $0.amount = Millisatoshi(amount) }
        }
        let wrong = try phone.device.offeredInvoice(for: try request(amount).stream.bytes)
        phone.device.behavior.withLock { $0 = .says(#"{"invoice":"\#(wrong)"}"#) }
        let body = Forwarder.body(try request(21_000).stream.bytes, offer: offer.text)
        #expect(try await answer(to: forwarder, phone, body).invoiceError == DeviceRefusal.unusable.reason)
    }

    @Test("A zap request reaches the phone as it came, and the invoice may commit to it in place of the metadata")
    func zaps() async throws {
        let phone = try await Phone.registered()
        let device = phone.device
        let nostrKey = String(repeating: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", count: 1)
        let info = """
            {"callback":"https://example.com/lnurlpay/phone/invoice","maxSendable":1000000,"minSendable":1000,\
            "metadata":\(JSONValue.string(TestDevice.metadata).serialized()),"tag":"payRequest","allowsNostr":true,\
            "nostrPubkey":"\(nostrKey)"}
            """
        device.behavior.withLock { $0 = .says(info) }
        let shown = try await phone.fixture.ask("/lnurlp/phone").json()
        #expect(shown["allowsNostr"] == true && shown["nostrPubkey"]?.string == nostrKey)

        let zap = #"{"kind":9734,"content":"ü & <b>","tags":[["relays","wss://r.example"]]}"#
        let callback = try HTTPURL(try #require(shown["callback"]?.string)).path
        let path = "\(callback)?amount=21000&nostr=\(PercentEncoding.encode(zap))"
        let invoice = try device.invoice(Millisatoshi(21_000), metadata: zap)
        device.behavior.withLock { $0 = .says(#"{"pr":"\#(invoice)","routes":[]}"#) }
        #expect(try await phone.fixture.ask(path).json()["pr"]?.string == invoice)
        #expect(try await device.question(1)["data"]?["nostr"]?.string == zap)
        // Without the zap request, or with another one, the same invoice is for something else.
        for other in ["\(callback)?amount=21000", "\(callback)?amount=21000&nostr=%7B%7D"] {
            #expect(try await phone.fixture.ask(other).reason == DeviceRefusal.unusable.reason)
        }
    }

    @Test("In a wildcard domain a name has a host of its own, and a wallet without a name is known by its key at _")
    func wildcards() async throws {
        let fixture = try await GatewayFixture()
        let url = try PublicURL("https://*.example.net")
        _ = try await fixture.service.ledger.putDomain(at: url, DomainSettings())
        try await fixture.service.responder.accounts.refresh()
        let (named, nameless) = (
            try Phone(fixture, host: "phone.example.net"), try Phone(fixture, number: 2, host: "_.example.net")
        )
        let answer = try await fixture.register(named.device, as: "phone", host: "www.example.net").json()
        #expect(answer["lightning_address"] == "_@phone.example.net")
        #expect(
            try EncodedURL.decode(try #require(answer["lnurl"]?.string)).text
                == "https://phone.example.net/lnurlp/\(named.device.publicKey)")
        let byKey = try await fixture.register(nameless.device, as: nil, host: "www.example.net").json()
        let lnurl = try EncodedURL.decode(try #require(byKey["lnurl"]?.string))
        #expect(lnurl.text == "https://_.example.net/lnurlp/\(nameless.device.publicKey)")
        for (host, path) in [
            ("phone.example.net", "/.well-known/lnurlp/_"),
            ("phone.example.net", "/lnurlp/\(named.device.publicKey)"), ("_.example.net", lnurl.path),
        ] {
            let request = try PayRequest(json: try await fixture.ask(path, host: host).json())
            #expect(request.callback.host == host)
            let invoice = try await fixture.ask("\(request.callback.path)?amount=1000", host: host).json()
            #expect(invoice["pr"] != nil)
        }
    }

    @Test("In a wildcard domain nobody has a name whose own host is another domain's name or alias")
    func otherHosts() async throws {
        let fixture = try await GatewayFixture()
        let ledger = fixture.service.ledger
        var settings = DomainSettings()
        settings.aliases = [try DomainName("shop.example.net"), try DomainName("x.bar.example.net")]
        _ = try await ledger.putDomain(at: PublicURL("https://*.example.net"), DomainSettings())
        _ = try await ledger.putDomain(at: PublicURL("https://pay.example.net"), settings)
        try await fixture.service.responder.accounts.refresh()
        let phone = try Phone(fixture, host: "www.example.net")
        for (name, status) in [("pay", 409), ("shop", 409), ("bar", 200), ("payer", 200)] {
            let answer = try await fixture.register(phone.device, as: name, host: "www.example.net")
            #expect(answer.status == status, "\(name)")
        }
        let (editor, host) = (DomainEditor(ledger: ledger, backends: []), try DomainName("payer.example.net"))
        await #expect(throws: DomainFault.hostOfAccount(host, try AccountID("payer@*.example.net"))) {
            try await editor.put(at: PublicURL("https://payer.example.net"), DomainSettings())
        }
        _ = try await editor.put(at: PublicURL("https://bar.example.net"), DomainSettings())
    }
}
