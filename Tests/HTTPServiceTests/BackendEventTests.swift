import EmbeddedNode
import HTTPTypes
import Hummingbird
import Logging
import Platform
import ResponderModel
import Testing
@testable import HTTPService

@Suite("Events from nodes", .timeLimit(.minutes(5)))
struct BackendEventTests {
    private let service: TestService
    private let source = Source()
    private let router: CallbackResponder<ServiceContext>

    init() async throws {
        service = try await TestService()
        var backend = StubBackend(service.node) { [node = service.node] order throws(BackendFault) in
            try await node.createInvoice(order)
        }
        backend.source = source
        var parts = service.parts
        parts.backends = [.embedded: service.node, try #require(BackendName("main")): backend]
        let server = AddressServer(parts, settings: service.settings, logger: Logger(label: "test")) { _ in }
        router = server.publicRouter(service.settings.limits).finished()
    }

    private func post(_ target: String, _ body: String = "{}") async throws -> Answer {
        let headers: HTTPFields = [try #require(HTTPField.Name("X-Node-Signature")): "abc"]
        return try await Answer(router, target, .post, headers, body)
    }

    @Test("An event is passed to its node with all headers and the raw body")
    func taken() async throws {
        let answer = try await post("/backend/main/events", "{ \"a\": 1 }")
        #expect(answer.status == 200)
        let call = try #require(source.calls.withLock { $0.first })
        #expect(call.header("x-node-signature") == "abc")
        #expect(call.body == Array("{ \"a\": 1 }".utf8))
    }

    @Test("An unknown node, and one without events, are not found", arguments: ["other", "embedded", "%00"])
    func unknown(_ name: String) async throws {
        #expect(try await post("/backend/\(name)/events").status == 404)
        #expect(source.calls.withLock { $0.isEmpty })
    }

    @Test("A body that is too long is refused before the node's reader sees it")
    func tooLong() async throws {
        #expect(try await post("/backend/main/events", String(repeating: "x", count: 101)).status == 413)
        #expect(source.calls.withLock { $0.isEmpty })
        #expect(try await post("/backend/main/events", String(repeating: "x", count: 100)).status == 200)
    }

    @Test(
        "What the node's reader refuses is refused without its reasons",
        arguments: [(WebhookFault.forged, 401), (.stale, 401), (.malformed("secret words"), 400)])
    func refused(_ fault: WebhookFault, _ status: Int) async throws {
        source.fault.withLock { $0 = fault }
        let answer = try await post("/backend/main/events")
        #expect(answer.status == status)
        #expect(!answer.body.contains("secret words"))
    }
}

/// A node's event reader that records its events.
private final class Source: WebhookSource {
    let calls = Guarded<[BackendWebhook]>([])
    let fault = Guarded<WebhookFault?>(nil)

    var bodyLimit: Int { 100 }

    func receive(_ call: BackendWebhook) async throws(WebhookFault) {
        if let fault = fault.withLock({ $0 }) { throw fault }
        calls.withLock { $0.append(call) }
    }
}
