import Glibc
import LightningCoding
import LightningCrypto
import LoopbackServer
import TemporaryFolders
import Testing
import Waiting

@Suite("lnurl notify", .timeLimit(.minutes(5)))
struct NotifyTests {
    @Test("The output for people shows the reply and no secret of the webhook's URL")
    func page() async throws {
        let service = try NotifiedService()
        let run = try await ToolRun(
            "notify", "-", "lnurlpay_info", "--callback-url", "https://example.com/cb", input: service.url + "\n")
        #expect(run.status == 0)
        #expect(run.output.contains("lnurlpay_info is answered, after "))
        #expect(run.output.contains("payRequest"))
        #expect(!run.output.contains("s3cret"))
    }

    @Test(
        "Types without a reply report the HTTP status",
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
        let sent = try service.onlyBody()
        #expect((sent["template"] ?? sent["event"])?.string == arguments[0])
        #expect((sent["event"] != nil) == arguments[0].contains("."))
        #expect(sent["data"]?.object?.members.map(\.key) == members)
        let refusing = try NotifiedService(status: 404, #"{"error":"no such webhook"}"#)
        let refused = try await ToolRun(["notify", refusing.url] + arguments)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("no such webhook (HTTP 404)"))
    }

    @Test("The reply to a custom type is awaited where --reply says")
    func ownType() async throws {
        let service = try NotifiedService { _, payload in try PostedReply(["order": payload["order"] ?? .null]) }
        let run = try await service.notified("shop_order", "--data", #"{"order":7}"#, "--reply", "url")
        #expect(run.status == 0)
        #expect(try run.json["reply"] == ["order": 7])
        let returning = try NotifiedService(#"{"error":"sold out"}"#)
        let refused = try await returning.notified("shop_order", "--reply", "response")
        #expect(refused.status == 1)
        #expect(try refused.json["reason"] == "sold out")
        let coded = try await NotifiedService(#"{"error":{"code":7}}"#).notified("shop_order", "--reply", "response")
        #expect(coded.status == 1)
        #expect(try coded.json["reason"]?.string == #"{"code":7}"#)
        let fine = try await NotifiedService(#"{"error":null}"#).notified("shop_order", "--reply", "response")
        #expect(fine.status == 0)
        let silent = try await NotifiedService("").notified("shop_order", "--reply", "response")
        #expect(silent.status == 4)
    }

    @Test("Push messages contain their payload as text, alone or inside a body, with the app's own data")
    func push() async throws {
        for envelope in ["push", "push-body"] {
            let service = try NotifiedService()
            let run = try await service.notified(
                "lnurlpay_info", "--callback-url", "https://example.com/cb", "--envelope", envelope,
                "--app-data", "mine")
            #expect(run.status == 0)
            let sent = try service.onlyBody()
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
            try await service.notified(
                "payment_received", "--payment-hash", "ab", "--signing-key-file", file
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

    @Test("Silence, refusals and junk have their own exit codes")
    func silence() async throws {
        func status(_ service: NotifiedService) async throws -> Int32 {
            try await service.notified("lnurlpay_info", "--callback-url", "https://example.com/cb", "--wait", "0.1")
                .status
        }
        #expect(try await status(NotifiedService { _, _ in nil }) == 4)
        #expect(try await status(NotifiedService(status: 503)) == 4)
        #expect(try await status(NotifiedService(status: 404)) == 1)
        // An LNURL service accepts only 200.
        #expect(try await status(NotifiedService(status: 202)) == 1)
        let junk = try NotifiedService { _, _ in PostedReply(raw: "<html>") }
        #expect(try await junk.notified("lnurlpay_info", "--callback-url", "https://example.com/cb").status == 2)
    }

    @Test("The sender of the reply is answered before the tool ends")
    func acknowledgement() async throws {
        let service = try NotifiedService()
        let run = try await service.notified("lnurlpay_info", "--callback-url", "https://example.com/cb")
        #expect(run.status == 0)
        try await eventually { !service.replyStatuses.isEmpty }
        #expect(service.replyStatuses == [200])
    }

    @Test("A reply to another path is refused, and waited no longer for than for none")
    func otherPath() async throws {
        let service = try NotifiedService { _, _ in try PostedReply([:], path: "/response/1") }
        let run = try await service.notified(
            "lnurlpay_info", "--callback-url", "https://example.com/cb", "--wait", "0.5")
        #expect(run.status == 4)
        try await eventually { !service.replyStatuses.isEmpty }
        #expect(service.replyStatuses == [404])
    }

    @Test("--data replaces members, so that invalid ones can be sent")
    func replacedMembers() async throws {
        let service = try NotifiedService()
        let data = #"{"amount":18446744073709551615,"reply_url":"https://example.com/"}"#
        _ = try await service.notified("lnurlpay_invoice", "--data", data, "--wait", "0")
        let sent = try service.onlyBody()["data"]
        #expect(sent?["amount"]?.uint64 == .max)
        #expect(sent?["reply_url"] == "https://example.com/")
    }

    @Test("Nothing is sent when the command line is wrong")
    func usage() async throws {
        let service = try NotifiedService()
        func status(_ arguments: String...) async throws -> Int32 {
            try await ToolRun(["notify", service.url] + arguments).status
        }
        #expect(try await status("lnurlpay_info") == 64)
        #expect(try await status("lnurlpay_invoice") == 64)
        #expect(try await status("lnurlpay_invoice", "--amount", "21") == 64)
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

    @Test("--help describes every type with its options")
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

    @Test("A proxy from the environment is not used")
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
