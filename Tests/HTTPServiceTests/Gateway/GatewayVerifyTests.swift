import LedgerRecords
import Bolt12
import HTTPTypes
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing

@Suite("Whether an invoice of a phone is paid", .timeLimit(.minutes(5)))
struct GatewayVerifyTests {
    @Test("is told only by the verify URL of an invoice that was given out; for no other is the phone woken")
    func marks() async throws {
        let phone = try await Phone.registered()
        let other = try Phone(phone.fixture, number: 0x22)
        try await phone.fixture.register(other.device, as: "other")
        // The other phone knows the same payment hash, as one that has paid it would.
        other.device.isPaid.withLock { $0 = true }
        let path = try await phone.verifyPath()
        let parts = path.split(separator: "/").map { String($0) }
        let (mark, hash) = (parts[2], parts[3])
        let another = String(repeating: "ab", count: 32)
        for forged in [
            "/lnurlpay/other/\(hash)", "/lnurlpay/other/\(mark)/\(hash)", "/lnurlpay/other/1/\(hash)",
            "/lnurlpay/\(other.device.publicKey)/\(hash)", "/lnurlpay/\(other.device.publicKey)/\(mark)/\(hash)",
            "/lnurlpay/\(other.device.publicKey)/0\(mark)/\(hash)", "/lnurlpay/phone/\(mark)/\(another)",
        ] {
            #expect(try await phone.fixture.ask(forged).reason == "Not found", "\(forged)")
        }
        #expect(other.device.questions.isEmpty && phone.device.questions.count == 1)
        #expect(try await phone.fixture.ask(path).json()["settled"] == false)
        #expect(try await phone.fixture.ask("/lnurlpay/\(phone.device.publicKey)/\(mark)/\(hash)").json()["pr"] != nil)
    }

    @Test("is not passed on without the preimage")
    func proof() async throws {
        let phone = try await Phone.registered()
        phone.device.isPaid.withLock { $0 = true }
        phone.device.tellsPreimage.withLock { $0 = false }
        let answer = try await phone.fixture.ask(try await phone.verifyPath())
        #expect(answer.reason == DeviceRefusal.unusable.reason)
        let id = RegistrationID(phone.device.key.publicKey, at: phone.fixture.domain.name)
        let ledger = phone.fixture.service.ledger
        #expect(try await ledger.paidInvoice(TestDevice.paymentHash, of: id) == nil)
    }

    @Test("is known of one that is proved paid: the phone's next payer does not get it")
    func paid() async throws {
        let phone = try await Phone.registered()
        let offer = try phone.device.offer()
        try await phone.fixture.register(phone.device, as: "phone", offer: offer.text, time: 1)
        let path = try await phone.verifyPath()
        func ask() async throws -> Answer { try await phone.fixture.ask("/lnurlpay/phone/invoice?amount=1000") }
        #expect(try await ask().json()["pr"] != nil)
        phone.device.isPaid.withLock { $0 = true }
        #expect(try await phone.fixture.ask(path).json()["settled"] == true)
        #expect(try await ask().reason == DeviceRefusal.unusable.reason)
        let forwarder = Forwarder(service: phone.fixture.service)
        let request = try forwarder.request(offer) { $0.amount = Millisatoshi(1_000) }
        let answer = try await phone.fixture.ask(
            try forwarder.path("phone", owner: phone.device.key.publicKey), .post,
            body: Forwarder.body(request.stream.bytes, offer: offer.text))
        #expect(answer.invoiceError == DeviceRefusal.unusable.reason)
    }

    @Test("is reported once, with its amount, so that the other devices of its owner are told")
    func reported() async throws {
        let phone = try await Phone.registered()
        let path = try await phone.verifyPath()
        #expect(phone.fixture.payments.withLock { $0.isEmpty })
        phone.device.isPaid.withLock { $0 = true }
        for _ in 1...2 { #expect(try await phone.fixture.ask(path).json()["settled"] == true) }
        let reported = phone.fixture.payments.withLock { $0 }
        #expect(reported.count == 1)
        let payment = try #require(reported.first)
        #expect(payment.0.key == phone.device.key.publicKey)
        #expect(try payment.1 == TestDevice.paymentHash)
        #expect(payment.2 != nil)
    }

    @Test("cannot be asked when the phone's invoice has no verify URL")
    func none() async throws {
        let phone = try await Phone.registered()
        let reply = #"{"pr":"\#(try phone.device.invoice(Millisatoshi(1000)))","routes":[]}"#
        phone.device.behavior.withLock { $0 = .says(reply) }
        let invoice = try await phone.fixture.ask("/lnurlpay/phone/invoice?amount=1000").json()
        #expect(invoice["pr"] != nil && invoice["verify"] == nil)
    }
}
