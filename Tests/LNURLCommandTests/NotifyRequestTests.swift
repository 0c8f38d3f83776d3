import Bolt12
import LightningCoding
import Testing

@Suite("lnurl notify for invoice requests", .timeLimit(.minutes(5)))
struct NotifyRequestTests {
    @Test("An invoice request is sent under its envelope's name, and its invoice is checked")
    func offers() async throws {
        let request = try Issuer.request(for: Issuer.offer())
        let names = ["template": "invoice_request", "event": "invoiceRequest", "push": "invoice_request"]
        for (envelope, name) in names {
            let service = try NotifiedService { _, payload in
                let bytes = try Hexadecimal.decode(payload[name]?.string ?? "")
                return try PostedReply(["invoice": .string(Issuer.invoice(for: InvoiceRequest(bytes: bytes)).text)])
            }
            let run = try await service.notified(
                "invoice_request", "--invoice-request", request.text, "--envelope", envelope)
            #expect(run.status == 0)
            #expect(
                try run.checks("passed") == ["chain", "expiry", "request", "node", "signature", "amount", "paths"])
        }
        let wrong = try NotifiedService { _, _ in
            try PostedReply(["invoice": .string(Wrong.amount.invoice(for: request))])
        }
        let run = try await wrong.notified(
            "invoice_request", "--invoice-request", Hexadecimal.encode(request.stream.bytes))
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["amount"])
        let refusing = try NotifiedService { _, _ in try PostedReply(["error": "sold out"]) }
        #expect(try await refusing.notified("invoice_request", "--invoice-request", request.text).status == 1)
        let mixed = try NotifiedService { _, _ in try PostedReply(["status": "ERROR", "reason": "sold out"]) }
        #expect(try await mixed.notified("invoice_request", "--invoice-request", request.text).status == 2)
    }

    @Test("invoice.request is answered in the HTTP response, unless --reply says otherwise")
    func response() async throws {
        let request = try Issuer.request(for: Issuer.offer())
        let text = try Issuer.invoice(for: request).text
        let service = try NotifiedService(#"{"invoice":"\#(text)"}"#)
        let run = try await service.notified("invoice.request", "--invoice-request", request.text)
        #expect(run.status == 0)
        let sent = try service.onlyBody()
        #expect(sent["event"] == "invoice.request")
        #expect(sent["data"]?.object?.members.map(\.key) == ["offer", "invoiceRequest"])
        #expect(try sent["data"]?["offer"]?.string == Issuer.offer().text)
        let posting = try NotifiedService { _, _ in try PostedReply(["invoice": .string(text)]) }
        #expect(
            try await posting.notified("invoice.request", "--invoice-request", request.text, "--reply", "url").status
                == 0)
        let busy = try NotifiedService(status: 503) { _, _ in nil }
        #expect(try await busy.notified("invoice.request", "--invoice-request", request.text).status == 4)
    }
}
