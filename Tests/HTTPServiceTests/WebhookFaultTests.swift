import LedgerRecords
import Bolt12
import EmbeddedNode
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
@testable import HTTPService

@Suite("Internal failures at the webhook", .timeLimit(.minutes(5)))
struct WebhookFaultTests {
    let service: TestService
    let forwarder: Forwarder

    init() async throws {
        service = try await TestService()
        forwarder = Forwarder(service: service)
    }

    /// The response when the node makes invoices this way.
    private func answer(
        _ make: @escaping @Sendable (InvoiceOrder) async throws(BackendFault) -> BackendInvoice
    ) async throws -> Answer {
        let offer = try await forwarder.offer()
        let responder = try await service.responder(in: StubBackend(service.node, make: make))
        return try await forwarder.forward(try forwarder.request(offer), for: offer, to: responder)
    }

    private func expectNothingWritten() async throws {
        #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty)
    }

    @Test(
        "A node that does not answer, or not in time, is reported as a temporary failure",
        arguments: [
            BackendFault.unreachable("10.0.0.1:9735: connection refused"), .timedOut, .storage("secret words"),
            .nothingReceivable,
        ])
    func gone(fault: BackendFault) async throws {
        let answer = try await answer { _ throws(BackendFault) in throw fault }
        #expect(answer.status == 503)
        #expect(answer.body == #"{"error":"Temporarily unavailable; please try again later"}"#)
        try await expectNothingWritten()
    }

    @Test(
        "A node's refusal gives the payer no details",
        arguments: [
            (BackendFault.refused("secret words"), "Failed to create invoice"),
            (.malformedAnswer("secret words"), "Failed to create invoice"),
        ])
    func refused(fault: BackendFault, reason: String) async throws {
        let answer = try await answer { _ throws(BackendFault) in throw fault }
        #expect(answer.status == 200)
        #expect(answer.invoiceError == reason)
        try await expectNothingWritten()
    }

    @Test("An invoice from the node for another amount is never returned")
    func otherAmount() async throws {
        let node = service.node
        let answer = try await answer { order throws(BackendFault) in
            try await node.createInvoice(
                InvoiceOrder(
                    amount: Millisatoshi(order.amount.msat + 1), description: order.description, expiry: order.expiry,
                    label: order.label
                ))
        }
        #expect(answer.status == 200)
        #expect(answer.invoiceError == "Failed to create invoice")
        try await expectNothingWritten()
    }

    @Test("An invoice from the node for another network is never returned")
    func otherNetwork() async throws {
        let folder = service.folder.path
        let node = try await EmbeddedBackend(
            EmbeddedConfiguration(databasePath: folder + "/other.sqlite", network: .testnet),
            key: SecretKey([UInt8](repeating: 2, count: 32)),
            clock: { [clock = service.clock] in clock.now }
        )
        let answer = try await answer { order throws(BackendFault) in try await node.createInvoice(order) }
        #expect(answer.status == 200)
        #expect(answer.invoiceError == "Failed to create invoice")
        try await expectNothingWritten()
    }

    @Test("A node that cannot be paid over our paths makes no offers, and answers no requests")
    func notCapable() async throws {
        let offer = try await forwarder.offer()
        let node = service.node
        var backend = StubBackend(node) { order throws(BackendFault) in try await node.createInvoice(order) }
        backend.capabilities.offers = .none
        let responder = try await service.responder(in: backend)
        let answer = try await forwarder.forward(try forwarder.request(offer), for: offer, to: responder)
        #expect(answer.status == 200)
        #expect(answer.invoiceError == "Offers cannot be paid here")
        await #expect(throws: OfferRefusal.backendWithoutBolt12(.embedded)) {
            try await responder.issueOffer(OfferTerms(description: "Tea"), for: AccountID("alice@example.com"))
        }
        let admin = try await service.administer(
            "/offers", method: .post, body: #"{"account":"alice"}"#, of: service.administration(responder))
        #expect(admin.status == 409)
    }

    @Test("Log and metrics name the route's template, never the secret")
    func template() async throws {
        let offer = try await forwarder.offer()
        let log = RecordingLog()
        let node = service.node
        let responder = try await service.responder(
            in: StubBackend(node) { _ throws(BackendFault) in throw .timedOut })
        _ = try await Answer(
            service.publicRouter(responder), forwarder.path(), .post, [:],
            Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text), logger: log.logger
        )
        let secret = service.secrets.pathSecret(of: try AddressName("alice"), in: service.domain)
        #expect(log.lines.map(\.route) == ["/webhook/{account}/{secret}"])
        #expect(
            log.lines.allSatisfy { $0.cause.contains("the node did not answer in time") && !$0.all.contains(secret) })
        #expect(service.metrics.page().contains(#"route="/webhook/{account}/{secret}""#))
        #expect(!service.metrics.page().contains(secret))
    }
}
