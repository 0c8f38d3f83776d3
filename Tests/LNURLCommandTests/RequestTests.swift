import Bolt11
import Foundation
import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import TemporaryFolders
import Testing

@Suite("lnurl request", .timeLimit(.minutes(5)))
struct RequestTests {
    @Test("A correct invoice passes every check, and the request contained amount and comment")
    func good() async throws {
        let service = try FakePayService()
        let run = try await ToolRun("request", service.address, "1500msat", "--comment", "hi & ⚡")
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.contains("✓ checks"))
        #expect(!run.output.contains("✗"))
        #expect(run.output.contains("\nPay:\nlnbcrt15n1"))
        #expect(service.requests.last?.target == "/callback?amount=1500&comment=hi%20%26%20%E2%9A%A1")
    }

    @Test("--json prints one object whose members are stable")
    func json() async throws {
        let service = try FakePayService(callback: {
            try .json(Script.invoice($0, ["verify": "http://127.0.0.1/v/1", "disposable": false]))
        })
        let run = try await ToolRun("request", service.address, "21sat", "--json")
        #expect(run.status == 0)
        #expect(
            try run.json.object?.members.map(\.key) == [
                "ok", "pr", "amount", "paymentHash", "network", "payee", "expiresAt", "verify", "disposable",
                "successAction", "callback", "metadata", "comment", "payerData", "checks",
            ])
        #expect(try run.json["amount"] == 21_000)
        #expect(try run.json["verify"] == "http://127.0.0.1/v/1")
        #expect(try run.json["successAction"] == .null)
        let passed = Set(try run.checks("passed"))
        #expect(
            passed.isSuperset(of: [
                "invoice-readable", "invoice-amount", "invoice-hash-matches", "invoice-network", "invoice-fresh",
            ]))
    }

    @Test(
        "A wrong amount, none, a wrong network or a past expiry advises not to pay",
        arguments: [
            ("invoice-amount", { @Sendable draft in draft.amount = Millisatoshi(21_001) }),
            ("invoice-amount", { @Sendable draft in draft.amount = nil }),
            ("invoice-network", { @Sendable draft in draft.network = .signet }),
            ("invoice-fresh", { @Sendable draft in draft.timestamp = UnixTime(1_700_000_000) }),
        ] as [(String, @Sendable (inout Script.Draft) -> Void)])
    func failed(check: String, change: @escaping @Sendable (inout Script.Draft) -> Void) async throws {
        let service = try FakePayService(callback: { try .json(Script.invoice($0, changing: change)) })
        let run = try await ToolRun("request", service.address, "21sat", "--network", "regtest", "--json")
        #expect(run.status == 2)
        #expect(try run.json["ok"] == false)
        #expect(try run.checks("failed") == [check])
        let text = try await ToolRun("request", service.address, "21sat", "--network", "regtest")
        #expect(text.status == 2)
        #expect(text.output.contains("✗ \(check)"))
        #expect(text.output.contains("Do not pay"))
    }

    @Test("A hash of another text advises not to pay")
    func otherHash() async throws {
        let service = try FakePayService(callback: {
            try .json(Script.invoice($0) { draft in draft.description = .hash([UInt8](repeating: 0, count: 32)) })
        })
        let run = try await ToolRun("request", service.address, "21sat", "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["invoice-hash-matches"])
    }

    @Test("A text in place of a hash is a warning, and a fault when hashes are strict")
    func text() async throws {
        let service = try FakePayService(callback: {
            try .json(Script.invoice($0) { draft in draft.description = .text("Pay to Alice") })
        })
        let lenient = try await ToolRun("request", service.address, "21sat", "--json")
        #expect(lenient.status == 0)
        #expect(try lenient.checks("warning").contains("invoice-hash"))
        let strict = try await ToolRun("request", service.address, "21sat", "--json", "--strict-hash")
        #expect(strict.status == 2)
        #expect(try strict.checks("failed") == ["invoice-hash"])
    }

    @Test(
        "An unknown or invalid action advises not to pay",
        arguments: [
            ["tag": "lottery"] as JSONValue,
            ["tag": "message", "message": .string(String(repeating: "x", count: 145))],
            ["tag": "url", "description": "d", "url": "https://example.com/"],
            ["tag": "aes", "description": "d", "ciphertext": "AAAA", "iv": "AAECAwQFBgcICQoLDA0ODw=="], "text",
        ])
    func action(action: JSONValue) async throws {
        let service = try FakePayService(callback: { try .json(Script.invoice($0, ["successAction": action])) })
        let run = try await ToolRun("request", service.address, "21sat", "--json")
        #expect(run.status == 2)
        #expect(try run.json["fault"]?["name"] == "answer")
        #expect(try run.json["fault"]?["message"]?.string?.contains("success action") == true)
    }

    @Test("A valid action is checked and kept for later")
    func goodAction() async throws {
        let action: JSONValue = ["tag": "message", "message": "Thank you"]
        let service = try FakePayService(callback: { try .json(Script.invoice($0, ["successAction": action])) })
        let run = try await ToolRun("request", service.address, "21sat", "--json")
        #expect(run.status == 0)
        #expect(try run.json["successAction"] == action)
        #expect(try run.checks("passed").contains("success-action-form"))
    }

    @Test("A damaged or missing invoice advises not to pay")
    func damaged() async throws {
        for (pr, name) in [("lnbcrt1notaninvoice", "served-invoice"), ("", "answer")] {
            let service = try FakePayService(callback: { try .json(Script.invoice($0, ["pr": .string(pr)])) })
            let run = try await ToolRun("request", service.address, "21sat", "--json")
            #expect(run.status == 2)
            #expect(try run.json["fault"]?["name"] == .string(name))
        }
    }

    @Test(
        "What the service does not accept is refused locally, and the callback is not called",
        arguments: [
            (["999msat"], "amount-out-of-range"), (["100001sat"], "amount-out-of-range"), (["21"], "amount"),
            (["21eur"], "amount"), (["0.1msat"], "amount"), (["--", "-1sat"], "amount"),
            (["21sat", "--comment", "01234567890"], "comment-too-long"),
            (["21sat", "--name", "B"], "payer-data-not-asked"),
        ])
    func notTaken(arguments: [String], name: String) async throws {
        let service = try FakePayService()
        let run = try await ToolRun(["request", "--json", service.address] + arguments)
        #expect(run.status == (name == "amount" ? 64 : 65))
        #expect(try run.json["fault"]?["name"] == .string(name))
        #expect(!service.requests.contains { $0.path == "/callback" })
    }

    @Test("A comment of the maximum length in characters is sent, including emoji")
    func comment() async throws {
        let service = try FakePayService()
        let run = try await ToolRun("request", service.address, "21sat", "--comment", "⚡⚡⚡⚡⚡⚡⚡⚡⚡⚡")
        #expect(run.status == 0)
    }

    private static let payerData: JSONObject = [
        "payerData": ["name": ["mandatory": true], "email": ["mandatory": false]]
    ]

    @Test("Mandatory payer data is required, and unrequested data is not sent")
    func payerDataRules() async throws {
        let service = try FakePayService(info: { try .json(Script.info($0, Self.payerData)) })
        let missing = try await ToolRun("request", service.address, "21sat", "--json")
        #expect(missing.status == 65)
        #expect(try missing.json["fault"]?["message"]?.string?.contains("--name") == true)
        let unasked = try await ToolRun(
            "request", service.address, "21sat", "--name", "B", "--identifier", "b@example.com", "--json")
        #expect(unasked.status == 65)
        #expect(!service.requests.contains { $0.path == "/callback" })
    }

    @Test("Both hashes of LUD-18 are accepted, and the matching one is named", arguments: [true, false])
    func payerDataHash(isLegacy: Bool) async throws {
        let service = try FakePayService(
            info: { try .json(Script.info($0, Self.payerData)) },
            callback: { request in
                let text = try PercentEncoding.decode(request.query("payerdata") ?? "", plusIsSpace: true)
                return try .json(Script.invoice(request, hashing: isLegacy ? text : nil))
            })
        let run = try await ToolRun(
            "request", service.address, "21sat", "--name", "Bob & Co", "--strict-hash", "--json")
        #expect(run.status == 0)
        #expect(try run.json["payerData"] == #"{"name":"Bob & Co"}"#)
        let check = try run.json["checks"]?.array?.first { $0["name"] == "invoice-hash-matches" }
        #expect(check?["detail"]?.string?.contains("payer data") == isLegacy)
    }

    @Test("A challenge is signed with the key from a file, and the signature is valid")
    func auth() async throws {
        let folder = TemporaryFolder()
        let key = try folder.file("key", String(repeating: "2", count: 64) + "\n")
        let k1 = String(repeating: "ab", count: 32)
        let asked: JSONObject = ["payerData": ["auth": ["mandatory": true, "k1": .string(k1)]]]
        let service = try FakePayService(info: { try .json(Script.info($0, asked)) })
        let run = try await ToolRun("request", service.address, "21sat", "--auth-key-file", key, "--json", "--trace")
        #expect(run.status == 0)
        let sent = try PercentEncoding.decode(service.requests.last?.query("payerdata") ?? "", plusIsSpace: true)
        let spec = PayerDataSpec([.auth: .mandatory], k1: try Challenge(hexadecimal: k1))
        let payerData = try PayerData(parsing: sent, against: spec)
        #expect(payerData.auth?.key == (try SecretKey([UInt8](repeating: 0x22, count: 32)).publicKey))
        #expect(!run.errors.contains(String(repeating: "2", count: 64)))
        let bad = try folder.file("bad", "zz")
        #expect(try await ToolRun("request", service.address, "21sat", "--auth-key-file", bad).status == 65)
        #expect(try await ToolRun("request", service.address, "21sat", "--auth-key-file", "/none").status == 66)
    }

    @Test("--post sends the request as JSON, and falls back to GET when that is not supported")
    func post() async throws {
        let modern = try FakePayService(callback: { request in
            let body = try JSONValue(parsing: request.body)
            return try .json(Script.invoice(request) { $0.amount = body["amount"]?.uint64.map { Millisatoshi($0) } })
        })
        let posted = try await ToolRun("request", modern.address, "21sat", "--post", "--comment", "hi", "--json")
        #expect(posted.status == 0)
        #expect(try posted.checks("passed").first == "POST")
        #expect(modern.requests.last?.method == "POST")
        #expect(modern.requests.last?.target == "/callback")
        #expect(
            modern.requests.last.map { String(decoding: $0.body, as: UTF8.self) } == #"{"amount":21000,"comment":"hi"}"#
        )

        let old = try FakePayService(callback: { request in
            request.method == "GET"
                ? try .json(Script.invoice(request)) : LoopbackAnswer(status: 405, "no", type: "text/plain")
        })
        let gotten = try await ToolRun("request", old.address, "21sat", "--post", "--json")
        #expect(gotten.status == 0)
        #expect(try gotten.checks("warning").contains("POST"))
    }

    @Test(
        "--resolve gives the address of any host, also of one that the service refers to",
        .enabled(if: SecureFileServer.isAvailable))
    func resolved() async throws {
        let identity = try await ServerIdentity(for: "DNS:pay.example,DNS:callback.example")
        let refusal: JSONValue = ["status": "ERROR", "reason": "reached"]
        let server = try await SecureFileServer(identity) { port in
            let info: JSONValue = [
                "tag": "payRequest", "callback": .string("https://callback.example:\(port)/callback"),
                "minSendable": 1000, "maxSendable": 100_000, "metadata": #"[["text/plain","x"]]"#,
            ]
            return [
                "/pay": LoopbackAnswer(info.serialized()),
                "/callback?amount=21000": LoopbackAnswer(refusal.serialized()),
            ]
        }
        let port = server.port
        let run = try await ToolRun(
            "request", "https://pay.example:\(port)/pay", "21sats", "--ca-file", identity.certificate,
            "--resolve", "pay.example:\(port):127.0.0.1", "--resolve", "callback.example:\(port):127.0.0.1")
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.errors.contains("reached"))
    }

    @Test("A refusal of the callback shows its reason and is not retried")
    func refused() async throws {
        let service = try FakePayService(callback: { _ in
            .json(["status": "ERROR", "reason": "temporarily unavailable"], status: 400)
        })
        let run = try await ToolRun("request", service.address, "21sat", "--post")
        #expect(run.status == 1)
        #expect(run.errors.contains("temporarily unavailable (HTTP 400)"))
        #expect(service.requests.count == 2)
    }

    @Test("A login link cannot be paid, and an invoice cannot be requested")
    func notForPaying() async throws {
        #expect(try await ToolRun("request", "keyauth://example.com/?tag=login&k1=00", "21sat").status == 65)
        #expect(try await ToolRun("request", try Script.Draft(description: .text("")).text, "21sat").status == 65)
    }

    @Test("The invoice is written to a file, as text or QR code")
    func output() async throws {
        let service = try FakePayService()
        let folder = TemporaryFolder()
        let file = try folder.file("invoice")
        #expect(try await ToolRun("request", service.address, "21sat", "--output", file).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasPrefix("lnbcrt210n1") && text.hasSuffix("\n"))
        #expect(try await ToolRun("request", service.address, "21sat", "--qr", "svg", "-o", file).status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("<svg "))
        #expect(try await ToolRun("request", service.address, "21sat", "-o", "/none/file").status == 73)
    }
}
