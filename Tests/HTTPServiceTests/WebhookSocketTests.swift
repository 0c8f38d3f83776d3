import LedgerRecords
import Bolt12
import LightningCoding
import ResponderModel
import SQLiteLedger
import Testing

@Suite("The webhook over a socket", .timeLimit(.minutes(5)))
struct WebhookSocketTests {
    private func call(_ path: String, _ body: String, closing: Bool) -> String {
        """
        POST \(path) HTTP/1.1\r
        Host: example.com\r
        Content-Type: application/json\r
        Content-Length: \(body.utf8.count)\r
        Connection: \(closing ? "close" : "keep-alive")\r
        \r
        \(body)
        """
    }

    @Test("The same request a thousand times, over fifty concurrent connections, gives one invoice")
    func thousandTimes() async throws {
        try await RunningService.with { service, payers, _, _ in
            let forwarder = Forwarder(service: service)
            let offer = try await forwarder.offer()
            let body = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
            let path = try forwarder.path()
            let texts = try await withThrowingTaskGroup(of: [String].self, returning: [String].self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let connection = try RawConnection(to: payers)
                        for number in 1...20 { connection.send(call(path, body, closing: number == 20)) }
                        let answers = try await connection.readToEnd()
                        return answers.matches(of: /"invoice":"(lni1[a-z0-9]+)"/).map { String($0.output.1) }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(texts.count == 1000)
            #expect(Set(texts).count == 1)
            #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.count == 1)
        }
    }

    @Test("A body is not received for an account that does not exist, signed or not")
    func nobody() async throws {
        try await RunningService.with { _, payers, _, _ in
            for field in ["X-Webhook-Signature: 00", "X-Other: 0"] {
                let connection = try RawConnection(to: payers)
                connection.send(
                    "POST /webhook/nobody HTTP/1.1\r\nHost: example.com\r\n\(field)\r\nContent-Length: 100000\r\n\r\n{")
                #expect(try await connection.readToEnd().hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            }
        }
    }

    @Test("64 KiB of junk leave the connection usable, and a body beyond all limits is not read to its end")
    func junk() async throws {
        try await RunningService.with { service, payers, _, _ in
            let path = try Forwarder(service: service).path()
            let connection = try RawConnection(to: payers)
            connection.send(
                call(path, Forwarder.body([UInt8](repeating: 0xFF, count: 65_535), offer: nil), closing: true))
            let answer = try await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.hasSuffix(#"{"error":"The invoice request is malformed"}"#))
        }
    }
}
