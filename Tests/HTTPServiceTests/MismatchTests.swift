import Bolt12
import EmbeddedNode
import HTTPTypes
import LightningCoding
import LightningCrypto
import LoopbackServer
import Contracts
import Testing

@testable import HTTPService

@Suite("Mismatched invoices as the operator sees them", .timeLimit(.minutes(2)))
struct MismatchTests {
    @Test("A mismatch is counted and logged once, whatever the route, and the client gets a generic error")
    func everyRoute() async throws {
        let service = try await TestService()
        let forwarder = Forwarder(service: service)
        let sink = try ReplySink()
        let offer = try await forwarder.offer()
        let request = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
        let notification =
            #"{"template":"lnurlpay_invoice","data":{"amount":21000,"reply_url":"\#(sink.url("1"))"}}"#
        let routes: [(HTTPRequest.Method, path: String, body: String)] = [
            (.get, "/lnurlpay/alice/invoice?amount=21000", ""),
            (.post, try forwarder.path(), request),
            (.post, try forwarder.path(), notification),
        ]
        let log = RecordingLog()
        let observer = MismatchObserver(of: [.embedded], metrics: service.metrics, logger: log.logger)
        let node = service.node
        let backend = StubBackend(node) { order throws(BackendFault) in
            try await node.createInvoice(
                InvoiceOrder(
                    amount: Millisatoshi(1), description: order.description, expiry: order.expiry, label: order.label))
        }
        let responder = try await service.responder(in: backend) { observer.note($0) }
        let router = service.publicRouter(responder)
        #expect(service.metrics.page().contains(#"responder_invoice_mismatches_total{backend="embedded"} 0"#))
        for (count, route) in routes.enumerated() {
            let answer = try await Answer(router, route.path, route.0, [:], route.body, logger: log.logger)
            if count == 2 {
                let reply = String(decoding: try await sink.reply("1").body, as: UTF8.self)
                #expect(reply.contains("No invoice can be made for this payment"))
            }
            #expect(!answer.body.contains("amount"))
            #expect(
                service.metrics.page().contains(
                    #"responder_invoice_mismatches_total{backend="embedded"} \#(count + 1)"#))
            #expect(log.lines.map(\.cause) == Array(repeating: "it is for another amount", count: count + 1))
            #expect(log.lines.last?.all.contains("cancelled") == true)
        }
    }
}
