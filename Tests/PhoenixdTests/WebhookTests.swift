import BackendContract
import FakeNode
import LightningCoding
import LightningCrypto
import LoopbackServer
import Phoenixd
import Platform
import ResponderModel
import Testing
import Waiting

@Suite("Webhooks of phoenixd", .timeLimit(.minutes(5)))
struct WebhookTests {
    private let body = Array(
        """
        {"type":"payment_received","timestamp":1790000000001,"amountSat":21,"paymentHash":"00","externalId":null,\
        "payerNote":null,"payerKey":null}
        """.utf8)

    private func call(
        _ body: [UInt8], key: String = FakePhoenixd.webhookSecret, header: String = "X-Phoenix-Signature",
        _ change: (String) -> String = { $0 }
    ) -> BackendWebhook {
        let signature = Hexadecimal.encode(HMACSHA256.authenticate(body, key: Array(key.utf8)))
        return BackendWebhook(headers: [(header, change(signature))], body: body)
    }

    private func outcome(_ fixture: PhoenixdFixture, _ call: BackendWebhook) async throws -> WebhookFault? {
        let backend = try fixture.backend { $0.webhookSecretPath = fixture.secretPath }
        let source = try #require(backend.webhooks)
        do throws(WebhookFault) {
            try await source.receive(call)
            return nil
        } catch {
            return error
        }
    }

    @Test("A signed call is taken in; one that is unsigned, forged, or signed for another body is not")
    func signature() async throws {
        let fixture = try PhoenixdFixture()
        #expect(try await outcome(fixture, call(body)) == nil)
        #expect(try await outcome(fixture, call(body, header: "x-phoenix-signature") { $0.uppercased() }) == nil)
        #expect(try await outcome(fixture, call(body, key: "another")) == .forged)
        #expect(try await outcome(fixture, call(body, header: "X-Signature")) == .forged)
        #expect(try await outcome(fixture, call(body) { _ in "" }) == .forged)
        #expect(try await outcome(fixture, call(body) { String($0.dropLast(2)) }) == .forged)
        #expect(try await outcome(fixture, call(body) { $0 + "00" }) == .forged)
        #expect(try await outcome(fixture, call(body) { "zz" + $0.dropFirst(2) }) == .forged)
        let other = BackendWebhook(
            headers: [
                ("X-Phoenix-Signature", Hexadecimal.encode(HMACSHA256.authenticate(body, key: Array("b0".utf8))))
            ],
            body: body + [32])
        #expect(try await outcome(fixture, other) == .forged)
    }

    @Test("The signature is looked at before the body: nonsense that is unsigned is forged, that is signed malformed")
    func order() async throws {
        let fixture = try PhoenixdFixture()
        #expect(try await outcome(fixture, call(Array("<".utf8), key: "x")) == .forged)
        #expect(
            try await outcome(fixture, call(Array("<".utf8)))
                == .malformed("no JSON: invalid character, at byte 0"))
        #expect(try await outcome(fixture, call(Array("{}".utf8))) == .malformed("type"))
        #expect(try await outcome(fixture, call(Array(#"{"type":"payment_sent"}"#.utf8))) == nil)
    }

    @Test("A node without a secret of webhooks has none")
    func none() throws {
        #expect(try PhoenixdFixture().backend().webhooks == nil)
    }

    @Test("A call wakes the reader, who asks the node; what the call says is not believed")
    func wake() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend { $0.webhookSecretPath = fixture.secretPath }
        let source = try #require(backend.webhooks)
        let reader = Task { try await backend.settlements(1) }
        func asked() -> Int { fixture.node.server.requests.filter { $0.path == "/payments/incoming" }.count }
        try await eventually { asked() > 0 }
        // Of a payment that did not happen.
        try await source.receive(call(body))
        try await eventually { asked() > 1 }
        let hash = try fixture.node.receive(at: fixture.node.state.withLock { $0.now })
        try await source.receive(call(body))
        #expect(try await reader.value.map(\.paymentHash) == [hash])
    }
}
