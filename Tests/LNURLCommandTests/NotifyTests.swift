import Bolt11
import Bolt12
import Glibc
import LightningCoding
import LightningCrypto
import LoopbackServer
import TemporaryFolders
import Testing

@Suite("lnurl notify")
struct NotifyTests {
    private static let hash = Result { try Script.preimage.get().paymentHash.hexadecimal }

    private func notify(_ service: NotifiedService, _ arguments: String...) async throws -> ToolRun {
        try await ToolRun(["notify", service.url] + arguments + ["--json"])
    }

    private func body(_ service: NotifiedService) throws -> JSONValue {
        #expect(service.requests.count == 1)
        return try JSONValue(parsing: try #require(service.requests.first).body)
    }

    @Test("lnurlpay_info: the callback and a reply URL are sent, and the reply is judged")
    func info() async throws {
        let service = try NotifiedService()
        let run = try await notify(service, "lnurlpay_info", "--callback-url", "https://example.com/cb?x=y")
        #expect(run.status == 0)
        #expect(try run.checks("passed") == ["limits", "callback", "metadata", "comment", "lifetime", "type"])
        #expect(
            try run.json.object?.members.map(\.key) == [
                "ok", "type", "notification", "httpStatus", "reply", "cacheControl", "milliseconds", "checks",
            ])
        #expect(try run.json["cacheControl"] == "max-age=60")
        let sent = try body(service)
        #expect(sent.object?.members.map(\.key) == ["template", "data"])
        #expect(sent["template"] == "lnurlpay_info")
        #expect(sent["data"]?.object?.members.map(\.key) == ["callback_url", "reply_url"])
        #expect(sent["data"]?["callback_url"] == "https://example.com/cb?x=y")
        #expect(sent["data"]?["reply_url"]?.string?.hasPrefix("http://127.0.0.1:") == true)
        let request = try #require(service.requests.first)
        #expect(request.method == "POST")
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("x-webhook-signature") == nil)
    }

    @Test("A page for people shows the reply and no secret of the webhook's URL")
    func page() async throws {
        let service = try NotifiedService()
        let run = try await ToolRun(
            "notify", "-", "lnurlpay_info", "--callback-url", "https://example.com/cb", input: service.url + "\n")
        #expect(run.status == 0)
        #expect(run.output.contains("lnurlpay_info is answered, after "))
        #expect(run.output.contains("payRequest"))
        #expect(!run.output.contains("s3cret"))
    }

    static let wrongInfos: [(JSONObject, String)] = [
        (["minSendable": 100_001], "reply"), (["minSendable": 0], "reply"), (["tag": "other"], "reply"),
        (["maxSendable": .null], "reply"), (["metadata": "[]"], "reply"),
        (["callback": "https://example.com/other"], "callback"),
    ]

    @Test("Replies to lnurlpay_info that break a rule", arguments: wrongInfos)
    func wrongInfo(changes: JSONObject, check: String) async throws {
        let service = try NotifiedService { try PostedReply(to: $0, $1, changes) }
        let run = try await notify(service, "lnurlpay_info", "--callback-url", "https://example.com/cb")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == [check])
    }

    @Test("lnurlpay_invoice: amount, comment and verify URL are sent; amount, hash, expiry and URL are judged")
    func invoice() async throws {
        let service = try NotifiedService()
        let run = try await notify(
            service, "lnurlpay_invoice", "--amount", "21sat", "--comment", "hi <&> ⚡", "--verify-url",
            "https://example.com/{payment_hash}/{payment_hash}", "--metadata", NotifiedService.metadata)
        #expect(run.status == 0)
        #expect(
            try run.checks("passed") == [
                "routes", "signature", "amount", "description", "expiry", "verify", "lifetime", "type",
            ])
        let hash = try Self.hash.get()
        #expect(try run.json["reply"]?["verify"]?.string == "https://example.com/\(hash)/\(hash)")
        let data = try body(service)["data"]
        #expect(data?.object?.members.map(\.key) == ["amount", "comment", "verify_url", "reply_url"])
        #expect(data?["amount"] == 21_000)
        #expect(data?["comment"] == "hi <&> ⚡")
    }

    @Test("Replies to lnurlpay_invoice that break a rule")
    func wrongInvoice() async throws {
        let other = try PostedReply.invoice(amount: 22_000)
        let otherMetadata = try PostedReply.invoice(amount: 21_000, metadata: #"[["text/plain","Bob"]]"#)
        var draft = Script.Draft(amount: Millisatoshi(21_000), description: .hash([UInt8](repeating: 0, count: 32)))
        draft.timestamp = UnixTime(UnixTime.now().seconds - 3600)
        let expired = try draft.text
        let cases: [(JSONObject, Int?, [String])] = [
            (["pr": .string(other)], nil, ["amount"]), (["pr": .string(otherMetadata)], nil, ["description"]),
            (["pr": .string(expired)], nil, ["description", "expiry"]), (["pr": "lnbc1"], nil, ["invoice"]),
            (["pr": ""], nil, ["reply"]), (["pr": .null], nil, ["reply"]),
            (["verify": "https://example.com/1"], nil, ["verify"]), ([:], 60, ["lifetime"]),
        ]
        for (changes, maxAge, failed) in cases {
            let service = try NotifiedService { try PostedReply(to: $0, $1, changes, maxAge: maxAge) }
            let run = try await notify(
                service, "lnurlpay_invoice", "--amount", "21sat", "--metadata", NotifiedService.metadata)
            #expect(run.status == 2)
            #expect(try run.checks("failed") == failed)
        }
    }

    @Test("lnurlpay_verify: the hash is sent; hash, proof and lifetime are judged")
    func verify() async throws {
        let hash = try Self.hash.get()
        let preimage = try JSONValue.string(Script.preimage.get().hexadecimal)
        let settled: JSONObject = ["settled": true, "preimage": preimage]
        let wrong: JSONObject = ["settled": true, "preimage": .string(hash)]
        let cases: [(JSONObject, Int, String, Int32, [String])] = [
            ([:], 3, hash, 0, []), (settled, 604_800, hash, 0, []), ([:], 3, hash.uppercased(), 0, []),
            ([:], 604_800, hash, 2, ["lifetime"]), (wrong, 604_800, hash, 2, ["preimage"]),
            ([:], 3, preimage.string ?? "", 2, ["payment hash"]), (["preimage": preimage], 3, hash, 2, ["reply"]),
            (["settled": "yes"], 3, hash, 2, ["reply"]),
        ]
        for (changes, maxAge, asked, status, failed) in cases {
            let service = try NotifiedService { try PostedReply(to: $0, $1, changes, maxAge: maxAge) }
            let run = try await notify(service, "lnurlpay_verify", "--payment-hash", asked)
            #expect(run.status == status)
            #expect(try run.checks("failed") == failed)
            #expect(try body(service)["data"]?["payment_hash"]?.string == asked)
        }
    }

    @Test("Errors of a family end with 1, with their reason, and must not be cached")
    func errors() async throws {
        let error: JSONValue = ["status": "ERROR", "reason": "Invalid amount requested 1 \u{1B}[31m"]
        let service = try NotifiedService { _, _ in try PostedReply(error) }
        let run = try await notify(service, "lnurlpay_invoice", "--amount", "1msat")
        #expect(run.status == 1)
        #expect(try run.json["reason"] == "Invalid amount requested 1 \u{1B}[31m")
        let page = try await ToolRun("notify", service.url, "lnurlpay_invoice", "--amount", "1msat")
        #expect(page.status == 1)
        #expect(page.output.contains("Invalid amount requested 1 \\u{1b}[31m"))
        let cached = try NotifiedService { _, _ in try PostedReply(error, maxAge: 60) }
        #expect(try await notify(cached, "lnurlpay_invoice", "--amount", "1msat").status == 2)
        // The error of the other family is none.
        let mixed = try NotifiedService { _, _ in try PostedReply(["error": "no"]) }
        #expect(try await notify(mixed, "lnurlpay_invoice", "--amount", "1msat").status == 2)
    }

    @Test("An invoice request travels under the name that its envelope has for it, and its invoice is judged")
    func offers() async throws {
        let request = try Issuer.request(for: Issuer.offer())
        let names = ["template": "invoice_request", "event": "invoiceRequest", "push": "invoice_request"]
        for (envelope, name) in names {
            let service = try NotifiedService { _, payload in
                let bytes = try Hexadecimal.decode(payload[name]?.string ?? "")
                return try PostedReply(["invoice": .string(Issuer.invoice(for: InvoiceRequest(bytes: bytes)).text)])
            }
            let run = try await notify(
                service, "invoice_request", "--invoice-request", request.text, "--envelope", envelope)
            #expect(run.status == 0)
            #expect(
                try run.checks("passed") == ["chain", "expiry", "request", "node", "signature", "amount", "paths"])
        }
        let wrong = try NotifiedService { _, _ in
            try PostedReply(["invoice": .string(Wrong.amount.invoice(for: request))])
        }
        let run = try await notify(
            wrong, "invoice_request", "--invoice-request", Hexadecimal.encode(request.stream.bytes))
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["amount"])
        let refusing = try NotifiedService { _, _ in try PostedReply(["error": "sold out"]) }
        #expect(try await notify(refusing, "invoice_request", "--invoice-request", request.text).status == 1)
        let mixed = try NotifiedService { _, _ in try PostedReply(["status": "ERROR", "reason": "sold out"]) }
        #expect(try await notify(mixed, "invoice_request", "--invoice-request", request.text).status == 2)
    }

    @Test("invoice.request is answered in the HTTP response, unless --reply says otherwise")
    func response() async throws {
        let request = try Issuer.request(for: Issuer.offer())
        let text = try Issuer.invoice(for: request).text
        let service = try NotifiedService(#"{"invoice":"\#(text)"}"#)
        let run = try await notify(service, "invoice.request", "--invoice-request", request.text)
        #expect(run.status == 0)
        let sent = try body(service)
        #expect(sent["event"] == "invoice.request")
        #expect(sent["data"]?.object?.members.map(\.key) == ["offer", "invoiceRequest"])
        #expect(try sent["data"]?["offer"]?.string == Issuer.offer().text)
        let posting = try NotifiedService { _, _ in try PostedReply(["invoice": .string(text)]) }
        #expect(
            try await notify(posting, "invoice.request", "--invoice-request", request.text, "--reply", "url").status
                == 0)
        let busy = try NotifiedService(status: 503) { _, _ in nil }
        #expect(try await notify(busy, "invoice.request", "--invoice-request", request.text).status == 4)
    }

    @Test(
        "Types without a reply tell the HTTP status",
        arguments: [
            (["payment_received", "--payment-hash", "ab"], ["payment_hash"]),
            (["swap_updated", "--id", "a", "--status", "transaction.mempool"], ["id", "status"]),
            (["swap.update", "--id", "a", "--status", "transaction.mempool"], ["id", "status"]),
            (["address_txs_confirmed", "--address", "bc1q"], ["address"]),
            (["tx_confirmed", "--tx-id", "ab"], ["tx_id"]),
            (["my_own", "--data", #"{"a":1,"b":null}"#], ["a", "b"]),
        ])
    func unanswered(arguments: [String], members: [String]) async throws {
        let service = try NotifiedService()
        let run = try await ToolRun(["notify", service.url] + arguments + ["--json"])
        #expect(run.status == 0)
        #expect(try run.json["httpStatus"] == 200)
        let sent = try body(service)
        #expect((sent["template"] ?? sent["event"])?.string == arguments[0])
        #expect((sent["event"] != nil) == arguments[0].contains("."))
        #expect(sent["data"]?.object?.members.map(\.key) == members)
        let refusing = try NotifiedService(status: 404, #"{"error":"no such webhook"}"#)
        let refused = try await ToolRun(["notify", refusing.url] + arguments)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("no such webhook (HTTP 404)"))
    }

    @Test("Push messages hold their payload as text, alone or inside a body, with the app's own data")
    func push() async throws {
        for envelope in ["push", "push-body"] {
            let service = try NotifiedService()
            let run = try await notify(
                service, "lnurlpay_info", "--callback-url", "https://example.com/cb", "--envelope", envelope,
                "--app-data", "mine")
            #expect(run.status == 0)
            let sent = try body(service)
            let message = envelope == "push" ? sent : sent["body"] ?? .null
            #expect(message.object?.members.map(\.key) == ["notification_type", "notification_payload", "app_data"])
            #expect(message["app_data"] == "mine")
            let payload = try JSONValue(parsing: message["notification_payload"]?.string ?? "")
            #expect(payload["callback_url"] == "https://example.com/cb")
        }
    }

    @Test("The body is signed with the key in a private file")
    func signature() async throws {
        let folder = TemporaryFolder()
        let file = try folder.file("key", " s3cret 00 \n")
        let service = try NotifiedService()
        func status() async throws -> Int32 {
            try await notify(
                service, "payment_received", "--payment-hash", "ab", "--signing-key-file", file
            ).status
        }
        #expect(chmod(file, 0o644) == 0)
        #expect(try await status() == 66)
        #expect(chmod(file, 0o600) == 0)
        #expect(try await status() == 0)
        let request = try #require(service.requests.first)
        let code = HMACSHA256.authenticate(request.body, key: Array("s3cret 00".utf8))
        #expect(request.header("x-webhook-signature") == Hexadecimal.encode(code))
        #expect(chmod(try folder.file("key", " \n"), 0o600) == 0)
        #expect(try await status() == 65)
    }

    @Test("Silence, refusals and junk have their own ends")
    func silence() async throws {
        func status(_ service: NotifiedService) async throws -> Int32 {
            try await notify(service, "lnurlpay_info", "--callback-url", "https://example.com/cb", "--wait", "0.1")
                .status
        }
        #expect(try await status(NotifiedService { _, _ in nil }) == 4)
        #expect(try await status(NotifiedService(status: 503)) == 4)
        #expect(try await status(NotifiedService(status: 404)) == 1)
        // An LNURL service takes nothing but 200.
        #expect(try await status(NotifiedService(status: 202)) == 1)
        let junk = try NotifiedService { _, _ in PostedReply(raw: "<html>") }
        #expect(try await notify(junk, "lnurlpay_info", "--callback-url", "https://example.com/cb").status == 2)
    }

    @Test("--data replaces members, so that bad ones can be sent")
    func replacedMembers() async throws {
        let service = try NotifiedService()
        let data = #"{"amount":18446744073709551615,"reply_url":"https://example.com/"}"#
        _ = try await notify(service, "lnurlpay_invoice", "--data", data, "--wait", "0")
        let sent = try body(service)["data"]
        #expect(sent?["amount"]?.uint64 == .max)
        #expect(sent?["reply_url"] == "https://example.com/")
    }

    @Test("Nothing is sent when the command is not right")
    func usage() async throws {
        let service = try NotifiedService()
        func status(_ arguments: String...) async throws -> Int32 {
            try await ToolRun(["notify", service.url] + arguments).status
        }
        #expect(try await status("lnurlpay_info") == 64)
        #expect(try await status("lnurlpay_invoice") == 64)
        #expect(try await status("lnurlpay_invoice", "--amount", "21") == 65)
        #expect(try await status("payment_received", "--payment-hash", "ab", "--amount", "1sat") == 64)
        #expect(try await status("lnurlpay_info", "--callback-url", "x", "--envelope", "letter") == 64)
        #expect(try await status("lnurlpay_info", "--callback-url", "x", "--data", "[]") == 64)
        #expect(try await status("lnurlpay_info", "--callback-url", "x", "--wait", "-1") == 64)
        #expect(try await status("invoice_request", "--invoice-request", "lno1x") == 65)
        #expect(try await status("lnurlpay_info", "--callback-url", "x", "--signing-key-file", "/nowhere") == 66)
        #expect(service.requests.isEmpty)
        let taken = try ClosedPort()
        #expect(
            try await status("lnurlpay_info", "--callback-url", "x", "--listen-port", "\(taken.port)") == 4)
        #expect(service.requests.isEmpty)
    }

    @Test("--help teaches every type with its options")
    func help() async throws {
        let run = try await ToolRun("notify", "--help")
        #expect(run.status == 0)
        for line in [
            "lnurlpay_invoice", "--amount [--comment] [--verify-url]", "invoice.request, invoice_request",
            "--signing-key-file", "EXAMPLES",
        ] {
            #expect(run.output.contains(line), "\(line)")
        }
    }

    @Test("A proxy that the environment names is not asked")
    func environmentProxy() async throws {
        let proxy = try LoopbackServer { _ in LoopbackAnswer(status: 418, "") }
        let service = try NotifiedService()
        let address = "http://127.0.0.1:\(proxy.port)"
        let run = try await ToolRun(
            "notify", service.url, "payment_received", "--payment-hash", "ab",
            environment: ["http_proxy": address, "HTTP_PROXY": address, "ALL_PROXY": address, "all_proxy": address])
        #expect(run.status == 0)
        #expect(proxy.connections == 0)
    }
}
