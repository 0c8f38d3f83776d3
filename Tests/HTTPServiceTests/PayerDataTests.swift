import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import Testing

@Suite("Payer data (LUD-18)", .timeLimit(.minutes(5)))
struct PayerDataTests {
    private let key = try? SecretKey([UInt8](repeating: 0x11, count: 32))

    private func service() async throws -> TestService {
        try await TestService { $0.payerData = PayerDataSpec([.name: .optional, .auth: .mandatory]) }
    }

    private func challenge(_ service: TestService) async throws -> String {
        try #require(try await service.ask("/lnurlp/alice").json()["payerData"]?["auth"]?["k1"]?.string)
    }

    private func payerData(k1: String, signed: String? = nil) throws -> String {
        let key = try #require(key)
        let signature = try key.ecdsaSignature(of: Hexadecimal.decode(signed ?? k1))
        let json: JSONValue = [
            "auth": [
                "key": .string(key.publicKey.hexadecimal), "k1": .string(k1),
                "sig": .string(Hexadecimal.encode(signature.der)),
            ]
        ]
        return PercentEncoding.encode(json.serialized())
    }

    private func reason(_ service: TestService, _ payerData: String) async throws -> String? {
        try await service.ask("/lnurlpay/alice/invoice?amount=1000&payerdata=\(payerData)").reason
    }

    @Test("A signature over our challenge gets one invoice, and only one")
    func replay() async throws {
        let service = try await service()
        let data = try payerData(k1: try await challenge(service))
        #expect(try await reason(service, data) == nil)
        #expect(
            try await reason(service, data)
                == "payerdata: auth has a k1 that was used before; ask for the address again"
        )
    }

    @Test("Requirements of the version that the payer saw apply, even if since removed")
    func switchedOff() async throws {
        let service = try await TestService { $0.payerData = PayerDataSpec([.name: .mandatory]) }
        let first = try await service.ask("/lnurlp/alice").json()
        let callback = try HTTPURL(try #require(first["callback"]?.string)).path
        try await service.put("alice", AccountSettings(description: "Pay Alice", backend: .embedded))
        try await service.responder.accounts.refresh()
        #expect(try await service.ask("/lnurlp/alice").json()["payerData"] == nil)

        let data = #"{"name":"Bob"}"#
        let answer = try await service.ask("\(callback)?amount=1000&payerdata=\(PercentEncoding.encode(data))").json()
        let invoice = try Bolt11Invoice(try #require(answer["pr"]?.string))
        let metadata = try #require(first["metadata"]?.string)
        #expect(invoice.description == .hash(SHA256.hash(Array((metadata + data).utf8))))
        #expect(
            try await service.ask("\(callback)?amount=1000").reason
                == "payerdata: name is missing, and it is mandatory")
    }

    @Test("An account that asks for none ignores what a payer sends, whatever it is")
    func unasked() async throws {
        let service = try await TestService { _ in }
        for data in [#"{"name":"Bob"}"#, "x", #"{"name":1}"#, "[]"] {
            #expect(try await reason(service, PercentEncoding.encode(data)) == nil, "\(data)")
        }
    }

    @Test("Requirements added later do not apply to payers of an earlier version")
    func switchedOn() async throws {
        let service = try await TestService { _ in }
        let first = try await service.ask("/lnurlp/alice").json()
        let callback = try HTTPURL(try #require(first["callback"]?.string)).path
        var settings = AccountSettings(description: "Pay Alice", backend: .embedded)
        settings.payerData = PayerDataSpec([.name: .mandatory])
        try await service.put("alice", settings)
        try await service.responder.accounts.refresh()

        let answer = try await service.ask("\(callback)?amount=1000&payerdata=%7B%22name%22%3A%22Bob%22%7D").json()
        let invoice = try Bolt11Invoice(try #require(answer["pr"]?.string))
        let metadata = try #require(first["metadata"]?.string)
        #expect(invoice.description == .hash(SHA256.hash(Array(metadata.utf8))))
        #expect(
            try await service.ask("/lnurlpay/alice/invoice?amount=1000").reason
                == "payerdata: name is missing, and it is mandatory")
    }

    @Test("A challenge is valid for ten minutes")
    func expiry() async throws {
        let service = try await service()
        let data = try payerData(k1: try await challenge(service))
        let late = try payerData(k1: try await challenge(service))
        service.clock.advance(seconds: 599)
        #expect(try await reason(service, data) == nil)
        service.clock.advance(seconds: 1)
        #expect(
            try await reason(service, late) == "payerdata: auth has a k1 that has expired; ask for the address again"
        )
    }

    @Test("A challenge that is not ours is refused")
    func forged() async throws {
        let service = try await service()
        let data = try payerData(k1: String(repeating: "ab", count: 32))
        #expect(try await reason(service, data) == "payerdata: auth has a k1 that is not from here")
    }

    @Test("A signature over something else is refused")
    func badSignature() async throws {
        let service = try await service()
        let data = try payerData(k1: try await challenge(service), signed: String(repeating: "ab", count: 32))
        #expect(try await reason(service, data) == "payerdata: auth has a bad signature")
    }

    @Test(
        "Malformed payer data is refused",
        arguments: [
            ("", "payerdata: auth is missing, and it is mandatory"),
            ("%7B%7D", "payerdata: auth is missing, and it is mandatory"),
            ("%5B%5D", "payerdata must be a JSON object"), ("%7B", "payerdata must be a JSON object"),
            ("%7B%22name%22%3A1%7D", "payerdata: name is malformed"),
        ]
    )
    func malformed(data: String, expected: String) async throws {
        #expect(try await reason(try await service(), data) == expected)
    }
}
