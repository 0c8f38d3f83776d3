import Bolt11
import LightningCoding
import LightningCrypto
import LoopbackServer
import Testing

@Suite("lnurl notify for the LNURL family", .timeLimit(.minutes(5)))
struct NotifyPaymentTests {
    private static let hash = Result { try Script.preimage.get().paymentHash.hexadecimal }

    @Test("lnurlpay_info: the callback and a reply URL are sent, and the reply is checked")
    func info() async throws {
        let service = try NotifiedService()
        let run = try await service.notified("lnurlpay_info", "--callback-url", "https://example.com/cb?x=y")
        #expect(run.status == 0)
        #expect(try run.checks("passed") == ["limits", "callback", "metadata", "comment", "lifetime", "type"])
        #expect(
            try run.json.object?.members.map(\.key) == [
                "ok", "type", "notification", "httpStatus", "reply", "cacheControl", "milliseconds", "checks",
            ])
        #expect(try run.json["cacheControl"] == "max-age=60")
        let sent = try service.onlyBody()
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

    static let wrongInfos: [(JSONObject, String)] = [
        (["minSendable": 100_001], "reply"), (["minSendable": 0], "reply"), (["tag": "other"], "reply"),
        (["maxSendable": .null], "reply"), (["metadata": "[]"], "reply"),
        (["callback": "https://example.com/other"], "callback"), (["minSendable": "1000"], "limits"),
        (["maxSendable": "100000"], "limits"), (["commentAllowed": "10"], "comment"),
    ]

    @Test("Replies to lnurlpay_info that break a rule", arguments: wrongInfos)
    func wrongInfo(changes: JSONObject, check: String) async throws {
        let service = try NotifiedService { try PostedReply(to: $0, $1, changes) }
        let run = try await service.notified("lnurlpay_info", "--callback-url", "https://example.com/cb")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == [check])
    }

    @Test("lnurlpay_invoice: amount, comment and verify URL are sent; amount, hash, expiry and URL are checked")
    func invoice() async throws {
        let service = try NotifiedService()
        let run = try await service.notified(
            "lnurlpay_invoice", "--amount", "21sat", "--comment", "hi <&> ⚡", "--verify-url",
            "https://example.com/{payment_hash}/{payment_hash}", "--metadata", NotifiedService.metadata)
        #expect(run.status == 0)
        #expect(
            try run.checks("passed") == [
                "routes", "signature", "amount", "description", "expiry", "verify", "lifetime", "type",
            ])
        let hash = try Self.hash.get()
        #expect(try run.json["reply"]?["verify"]?.string == "https://example.com/\(hash)/\(hash)")
        let data = try service.onlyBody()["data"]
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
            let run = try await service.notified(
                "lnurlpay_invoice", "--amount", "21sat", "--metadata", NotifiedService.metadata)
            #expect(run.status == 2)
            #expect(try run.checks("failed") == failed)
        }
    }

    @Test("lnurlpay_verify: the hash is sent; hash, proof and lifetime are checked")
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
            let run = try await service.notified("lnurlpay_verify", "--payment-hash", asked)
            #expect(run.status == status)
            #expect(try run.checks("failed") == failed)
            #expect(try service.onlyBody()["data"]?["payment_hash"]?.string == asked)
        }
    }

    @Test("Errors of a family exit with 1, with their reason, and must not be cached")
    func errors() async throws {
        let error: JSONValue = ["status": "ERROR", "reason": "Invalid amount requested 1 \u{1B}[31m"]
        let service = try NotifiedService { _, _ in try PostedReply(error) }
        let run = try await service.notified("lnurlpay_invoice", "--amount", "1msat")
        #expect(run.status == 1)
        #expect(try run.json["reason"] == "Invalid amount requested 1 \u{1B}[31m")
        let page = try await ToolRun("notify", service.url, "lnurlpay_invoice", "--amount", "1msat")
        #expect(page.status == 1)
        #expect(page.output.contains("Invalid amount requested 1 \\u{1b}[31m"))
        let cached = try NotifiedService { _, _ in try PostedReply(error, maxAge: 60) }
        #expect(try await cached.notified("lnurlpay_invoice", "--amount", "1msat").status == 2)
        // The error format of the other family is not an error.
        let mixed = try NotifiedService { _, _ in try PostedReply(["error": "no"]) }
        #expect(try await mixed.notified("lnurlpay_invoice", "--amount", "1msat").status == 2)
    }
}
