import Bolt11
import Foundation
import Doctor
import LightningCoding
import LightningCrypto
import LoopbackServer
import TemporaryFolders
import Testing

@Suite("lnurl --trace", .timeLimit(.minutes(5)))
struct TraceTests {
    @Test("Requests and responses are shown with their bodies, line by line")
    func bodies() async throws {
        let service = try FakePayService(callback: { request in
            request.method == "POST"
                ? LoopbackAnswer(status: 405, "<h1>\n\u{1B}[2JNo</h1>", type: "text/html")
                : try .json(Script.invoice(request))
        })
        let run = try await ToolRun("request", service.address, "21sat", "--post", "--trace")
        #expect(run.status == 0)
        #expect(run.errors.contains("\n>\n> {\"amount\":21000}\n< 405\n"))
        #expect(run.errors.contains("\n<\n< <h1>\n< \\u{1b}[2JNo</h1>\n* "))
        #expect(run.errors.contains("\n< {\"pr\":\"lnbcrt"))
    }

    @Test("A long body is cut at a whole character, and of one that is not text the length is shown")
    func bounds() async throws {
        let long = "a" + String(repeating: "⚡", count: 2000)
        let service = try FakePayService(info: { _ in LoopbackAnswer(long, type: "text/plain") })
        let run = try await ToolRun("info", service.address, "--trace")
        let shown = try #require(run.errors.split(separator: "\n").first { $0.hasPrefix("< a⚡") })
        // The longest prefix of 1 + 3 n bytes.
        #expect(shown.utf8.count == 2 + 4096)
        #expect(!shown.contains("\u{FFFD}"))
        #expect(run.errors.contains("\n< (the first 4096 of 6001 bytes)\n"))
    }

    @Test("A failure is described in words")
    func failure() async throws {
        let closed = try ClosedPort()
        let run = try await ToolRun("info", "alice@127.0.0.1:\(closed.port)", "--trace")
        #expect(run.errors.contains("\n* 127.0.0.1:\(closed.port) refused the connection.\n"))
    }

    @Test("Preimages, challenges, signatures and the secret in a webhook's URL are redacted")
    func secrets() async throws {
        let preimage = try Script.preimage.get().hexadecimal
        let k1 = String(repeating: "ab", count: 32)
        let spec: JSONValue = ["auth": ["mandatory": true, "k1": .string(k1)]]
        let pr = try Script.Draft(description: .text("")).text
        let service = try FakePayService(
            info: { try .json(Script.info($0, ["payerData": spec])) },
            verify: { _ in .json(Script.verification(settled: true, preimage: .string(preimage), pr: pr)) })
        let folder = TemporaryFolder()
        let key = try folder.file("key", String(repeating: "2", count: 64))

        let paid = try await ToolRun("request", service.address, "21sat", "--auth-key-file", key, "--trace")
        #expect(paid.status == 0)
        #expect(paid.errors.contains(#""k1":"(secret)""#))
        #expect(paid.errors.contains(#"&payerdata={"auth":{"key":""#) && paid.errors.contains(#""sig":"(secret)""#))
        #expect(!paid.errors.contains(k1))

        let settled = try await ToolRun("verify", "http://\(service.authority)/v", "--trace")
        #expect(settled.output.contains(preimage))
        #expect(settled.errors.contains(#""preimage":"(secret)""#) && !settled.errors.contains(preimage))

        let webhook = try NotifiedService()
        let notified = try await ToolRun(
            "notify", webhook.url, "lnurlpay_info", "--callback-url", "https://example.com/cb", "--trace")
        #expect(notified.errors.hasPrefix("> POST /webhook/alice/(secret)\n"))
        #expect(!notified.errors.contains("s3cret"))
        let slashed = try await ToolRun(
            "notify", webhook.url + "/", "lnurlpay_info", "--callback-url", "https://example.com/cb", "--trace")
        #expect(!slashed.errors.contains("s3cret"))
    }

    @Test(
        "Secret members are redacted in texts, numbers and quoted JSON, however the text is cut",
        arguments: [
            (#"{"preimage":"00ff","a":1}"#, #"{"preimage":"(secret)","a":1}"#),
            (#"{"payment_preimage" : "00"}"#, #"{"payment_preimage" : "(secret)"}"#),
            (#"{"paymentPreimage":"00"}"#, #"{"paymentPreimage":"(secret)"}"#),
            (#"{"Access-Token":12.5e3,"b":2}"#, #"{"Access-Token":(secret),"b":2}"#),
            (#"{"k1":"a\"b","c":"d"}"#, #"{"k1":"(secret)","c":"d"}"#),
            (#"{"p":"{\"preimage\":\"00\",\"n\":1}"}"#, #"{"p":"{\"preimage\":\"(secret)\",\"n\":1}"}"#),
            (#"{"token":"cut off"#, #"{"token":"(secret)"#), (#"{"token":"a""#, #"{"token":"(secret)""#),
        ])
    func members(text: String, shown: String) {
        #expect(Redaction.members(of: text) == shown)
    }

    @Test(
        "Everything else is shown unchanged",
        arguments: [
            "", "preimage", #"{"preimage":null}"#, #"{"preimage":""}"#, #"{"k10":"a","xk1":"b"}"#, #"{"token":true}"#,
            #"{"paymentHash":"00ff"}"#, #"["preimage","00"]"#, #"{"preimage""#, #"{"preimage":"#, #"{"preimage":\"#,
            "{\"a\u{301}\":\"⚡\"}", #"{"key":"02ab"}"#,
        ])
    func notSecret(text: String) {
        #expect(Redaction.members(of: text).utf8.elementsEqual(text.utf8))
    }

    @Test(
        "Parameters that are or contain secrets are redacted in a query",
        arguments: [
            ("amount=1&k1=ab&x=y", "amount=1&k1=(secret)&x=y"), ("TOKEN=a%20b", "TOKEN=(secret)"),
            ("payerdata=%7B%22k1%22%3A%22ab%22%7D&a=%20", #"payerdata={"k1":"(secret)"}&a=%20"#),
            ("k1=", "k1="), ("k1", "k1"), ("a=%FF&&b", "a=%FF&&b"), ("k10=ab", "k10=ab"),
        ])
    func query(text: String, shown: String) {
        #expect(Redaction.query(text) == shown)
    }
}
