import Contracts
import HTTPTypes
import LNURL
import LightningCoding
import Registrations
import ResponderCore
import SQLiteLedger
import Testing

@testable import HTTPService

@Suite("App users of a wildcard domain", .timeLimit(.minutes(1)))
struct WildcardTests {
    private let fixture: GatewayFixture
    private let device: TestDevice

    init() async throws {
        let fixture = try await GatewayFixture()
        self.fixture = fixture
        _ = try await fixture.service.ledger.putDomain(at: PublicURL("https://*.example.net"), DomainSettings())
        try await fixture.service.responder.accounts.refresh()
        device = try TestDevice(now: { fixture.service.clock.now }) { path, body, _ in
            _ = try? await fixture.ask(path, .post, body: body)
        }
    }

    private func register(_ name: String?) async throws -> JSONValue {
        let body = try device.registration(name, time: Int64(fixture.service.clock.now.seconds))
        return try await fixture.ask(
            "/lnurlpay/\(device.publicKey)", .post, body: body.serialized(), host: "wallets.example.net"
        ).json()
    }

    /// Asks for limits and for an invoice, as a payer does who follows the callback.
    private func pay(_ path: String, at host: String) async throws -> HTTPURL {
        let request = try PayRequest(json: try await fixture.ask(path, host: host).json())
        let callback = request.callback
        let invoice = try await fixture.ask("\(callback.path)?amount=1000", host: callback.host).json()
        #expect(invoice["pr"]?.string == (try device.invoice(Millisatoshi(1000))))
        return callback
    }

    @Test("A name has a host of its own, and the address _ there")
    func named() async throws {
        let registered = try await register("Phone")
        #expect(registered["lightning_address"] == "_@phone.example.net")
        let url = try EncodedURL.decode(try #require(registered["lnurl"]?.string))
        #expect(url.text == "https://phone.example.net/lnurlp/\(device.publicKey)")
        let mark = MetadataMark(of: TestDevice.metadata).number
        let callback = try await pay("/.well-known/lnurlp/_", at: "phone.example.net")
        #expect(callback.text == "https://phone.example.net/lnurlpay/_/v\(mark)/invoice")
        let byKey = try await pay(url.path, at: url.host)
        #expect(byKey.text == "https://phone.example.net/lnurlpay/\(device.publicKey)/v\(mark)/invoice")
        for (path, host) in [("/lnurlp/phone", "phone.example.net"), ("/lnurlp/_", "tablet.example.net")] {
            #expect(try await fixture.ask(path, host: host).reason == Refusal.unknownAccount.reason)
        }
        // Nor is anything known of it in another domain.
        #expect(try await fixture.ask("/lnurlp/phone").reason == Refusal.unknownAccount.reason)
        #expect(try await fixture.ask(url.path).reason == Refusal.unknownAccount.reason)
    }

    @Test("A wallet without a name is reached by its LNURL, at the host _")
    func nameless() async throws {
        let registered = try await register(nil)
        #expect(registered["lightning_address"] == nil)
        let url = try EncodedURL.decode(try #require(registered["lnurl"]?.string))
        #expect(url.text == "https://_.example.net/lnurlp/\(device.publicKey)")
        #expect(try await pay(url.path, at: url.host).host == "_.example.net")
    }
}
