import LightningCoding
import LoopbackServer
import Testing

@Suite("lnurl info", .timeLimit(.minutes(5)))
struct InfoTests {
    @Test("A correct response is shown and passes every check")
    func good() async throws {
        let service = try FakePayService()
        let run = try await ToolRun("info", service.address)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.contains("Pay to Alice"))
        #expect(run.output.contains("1 sat to 100000 sat"))
        #expect(run.output.contains("up to 10 characters"))
        #expect(run.output.contains("✓ checks"))
        #expect(!run.output.contains("✗") && !run.output.contains("!"))
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test("--json prints one object whose members are stable")
    func json() async throws {
        let service = try FakePayService()
        let run = try await ToolRun("info", service.address, "--json")
        #expect(run.status == 0)
        #expect(
            try run.json.object?.members.map(\.key) == [
                "ok", "url", "httpStatus", "callback", "minSendable", "maxSendable", "metadata", "commentAllowed",
                "tag", "description", "longDescription", "identifier", "descriptionHash", "allowsNostr", "nostrPubkey",
                "checks",
            ])
        #expect(try run.json["ok"] == true)
        #expect(try run.json["maxSendable"] == 100_000_000)
        #expect(try run.checks("warning") == [] && run.checks("failed") == [])
        let passed = Set(try run.checks("passed"))
        #expect(
            passed.isSuperset(of: ["limits-integers", "callback-host", "identifier", "cross-origin", "status-200"]))
    }

    @Test(
        "What some wallets cannot handle is a warning",
        arguments: [
            ("callback-host", ["callback": "https://pay.example.com/cb"]),
            ("callback-path", ["callback": "http://127.0.0.1/cb?user=1"]),
            ("minimum-usual", ["minSendable": 1]),
        ] as [(String, JSONObject)])
    func warnings(check: String, changes: JSONObject) async throws {
        let service = try FakePayService(info: { try .json(Script.info($0, changes)) })
        let run = try await ToolRun("info", service.address, "--json")
        #expect(run.status == 0)
        #expect(try run.checks("warning") == [check])
    }

    @Test(
        "Metadata without the address breaks a rule, though they can be read",
        arguments: [#"[["text/plain","x"],["text/identifier","bob@example.com"]]"#, #"[["text/plain","x"]]"#])
    func otherIdentifier(metadata: String) async throws {
        let service = try FakePayService(info: { try .json(Script.info($0, ["metadata": .string(metadata)])) })
        let run = try await ToolRun("info", service.address, "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["identifier"])
    }

    @Test("An answer that is encoded is told by its encoding")
    func encoded() async throws {
        let service = try FakePayService(info: { _ in LoopbackAnswer("\u{1F}", headers: ["Content-Encoding: gzip"]) })
        let run = try await ToolRun("info", service.address)
        #expect(run.status == 2)
        #expect(run.errors.contains("(HTTP 200, application/json, encoded as gzip)"))
    }

    @Test("A correct body with another status, type or no CORS is read, and each is named")
    func bareAnswer() async throws {
        let service = try FakePayService(info: {
            LoopbackAnswer(status: 404, try Script.info($0).serialized(), type: "text/html")
        })
        let run = try await ToolRun("info", service.address, "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") + run.checks("warning") == ["cross-origin", "status-200", "content-type"])
    }

    @Test("Of a long reason only the beginning is shown, also in JSON")
    func longReason() async throws {
        let service = try FakePayService(info: { _ in
            .json(["status": "ERROR", "reason": .string(String(repeating: "x\u{301}", count: 300_000))])
        })
        for arguments in [["info", service.address], ["info", service.address, "--json"]] {
            let run = try await ToolRun(arguments)
            #expect(run.status == 1)
            #expect((run.output + run.errors).utf8.count < 5000)
        }
    }

    @Test("The reason of an ERROR is shown whatever the HTTP status", arguments: [200, 404, 500])
    func refused(status: Int) async throws {
        let service = try FakePayService(info: { _ in
            .json(["status": "ERROR", "reason": "no such user"], status: status)
        })
        let run = try await ToolRun("info", service.address)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("no such user (HTTP \(status))"))
        let json = try await ToolRun("info", service.address, "--json")
        #expect(json.status == 1)
        #expect(json.errors == "")
        #expect(try json.json["ok"] == false)
        #expect(try json.json["fault"]?["name"] == "service-error")
        #expect(try json.json["fault"]?["reason"] == "no such user")
        #expect(try json.json["fault"]?["httpStatus"] == .integer(status))
    }

    @Test(
        "A response that breaks a rule exits with 2",
        arguments: [
            ["minSendable": 2000, "maxSendable": 1000] as JSONObject, ["minSendable": 0], ["callback": .null],
            ["callback": "http://example.com/"], ["metadata": "[]"], ["metadata": "no JSON"], ["tag": .null],
            ["minSendable": true], ["maxSendable": "1e9"], ["commentAllowed": [10]], ["minSendable": -1],
        ])
    func brokenRule(changes: JSONObject) async throws {
        let service = try FakePayService(info: { try .json(Script.info($0, changes)) })
        let run = try await ToolRun("info", service.address, "--json")
        #expect(run.status == 2)
        #expect(try run.json["fault"]?["name"] == "answer")
    }

    @Test(
        "A number written as a string breaks a rule, though it can be read",
        arguments: [
            ("minSendable", "1000", "limits-integers"), ("maxSendable", "5000", "limits-integers"),
            ("commentAllowed", "10", "comment-allowed"),
        ])
    func numberAsString(member: String, value: String, check: String) async throws {
        let service = try FakePayService(info: { try .json(Script.info($0, [member: .string(value)])) })
        let run = try await ToolRun("info", service.address, "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == [check])
        #expect(try run.checks("passed").contains("limits-integers") == (check != "limits-integers"))
        let page = try await ToolRun("info", service.address)
        #expect(page.status == 2)
        #expect(page.output.contains("✗ \(check)") && page.output.contains("\"\(value)\""))
    }

    private static let nostrKey = "9630f464cca6a5147aa8a35f0bcdd3ce485324e732fd39e09233b1d848238f31"

    @Test("Zaps are shown with the key that signs their receipts")
    func zaps() async throws {
        let changes: JSONObject = ["allowsNostr": true, "nostrPubkey": .string(Self.nostrKey)]
        let service = try FakePayService(info: { try .json(Script.info($0, changes)) })
        let run = try await ToolRun("info", service.address, "--json")
        #expect(run.status == 0)
        #expect(try run.json["allowsNostr"] == true)
        #expect(try run.json["nostrPubkey"] == .string(Self.nostrKey))
        #expect(try run.checks("passed").contains("zap-members"))
        #expect(
            try await ToolRun("info", service.address).output.contains("accepted, receipts signed by \(Self.nostrKey)"))
        let plain = try FakePayService()
        let none = try await ToolRun("info", plain.address, "--json")
        withExtendedLifetime(plain) {}
        #expect(try none.json["allowsNostr"] == .null)
        #expect(try !none.checks("passed").contains("zap-members"))
    }

    @Test(
        "Zaps that Nostr clients will not send break a rule",
        arguments: [
            ["allowsNostr": true], ["allowsNostr": "true", "nostrPubkey": .string(nostrKey)],
            ["nostrPubkey": .string(nostrKey)], ["allowsNostr": true, "nostrPubkey": .string("02" + nostrKey)],
            ["allowsNostr": true, "nostrPubkey": .string(String(repeating: "f", count: 64))],
            ["allowsNostr": true, "nostrPubkey": 1],
        ] as [JSONObject])
    func brokenZaps(changes: JSONObject) async throws {
        let service = try FakePayService(info: { try .json(Script.info($0, changes)) })
        let run = try await ToolRun("info", service.address, "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["zap-members"])
    }

    @Test("An HTML page instead of JSON exits with 2, and so does a redirect")
    func notJSON() async throws {
        let html = try FakePayService(info: { _ in LoopbackAnswer("<html>Hello</html>", type: "text/html") })
        let page = try await ToolRun("info", html.address, "--json")
        #expect(page.status == 2)
        #expect(try page.json["fault"]?["name"] == "not-json")
        let moved = try FakePayService(info: { _ in
            LoopbackAnswer(status: 301, "", headers: ["Location: https://www.example.com/"])
        })
        let redirect = try await ToolRun("info", moved.address)
        #expect(redirect.status == 2)
        #expect(redirect.errors.contains("https://www.example.com/"))
        #expect(moved.requests.count == 1)
    }

    @Test("No response, a late one or one too long exits with 4")
    func noAnswer() async throws {
        let long = try FakePayService(info: { _ in LoopbackAnswer(String(repeating: " ", count: 2 << 20)) })
        let tooLong = try await ToolRun("info", long.address, "--json")
        #expect(tooLong.status == 4)
        #expect(try tooLong.json["fault"]?["name"] == "body-too-large")

        let silent = try LoopbackServer(raw: { $0.readToEnd() })
        let late = try await ToolRun("info", "alice@127.0.0.1:\(silent.port)", "--timeout", "0.2", "--json")
        #expect(late.status == 4)
        #expect(try late.json["fault"]?["name"] == "timeout")

        let closed = try ClosedPort()
        let refused = try await ToolRun("info", "alice@127.0.0.1:\(closed.port)", "--json")
        #expect(refused.status == 4)
        #expect(try refused.json["fault"]?["name"] == "connection-refused")

        let onion = "juhaavcaxhxlp77nkq76byazcldy2hlmovfu2epvl5ankdibsot4csyd.onion"
        let unreachable = try await ToolRun("info", "alice@\(onion)", "--json")
        #expect(unreachable.status == 4)
        #expect(try unreachable.json["fault"]?["name"] == "onion-without-proxy")
    }

    @Test("A withdraw link is recognized, not paid")
    func withdraw() async throws {
        let service = try FakePayService(info: { _ in .json(["tag": "withdrawRequest", "maxWithdrawable": 5000]) })
        let run = try await ToolRun("info", service.address)
        #expect(run.status == 0)
        #expect(run.output.contains("to withdraw (LUD-03)"))
        #expect(run.output.contains("5000"))
    }

    @Test("A service's text cannot control the terminal")
    func escapes() async throws {
        let service = try FakePayService(info: { _ in
            .json(["status": "ERROR", "reason": "\u{1B}[2Jgone\u{202E}\r"])
        })
        let run = try await ToolRun("info", service.address)
        #expect(run.errors.contains("\\u{1b}[2Jgone\\u{202e}\\u{d}"))
    }

    @Test("--trace shows the exchange on standard error and leaves standard output unchanged")
    func trace() async throws {
        let service = try FakePayService()
        let run = try await ToolRun("info", service.address, "--json", "--trace")
        #expect(try run.json["ok"] == true)
        #expect(run.errors.hasPrefix("> GET /.well-known/lnurlp/alice\n> Host: \(service.authority)\n"))
        #expect(run.errors.contains("\n< 200\n"))
    }

    @Test("A proxy comes from the command line, never from the environment")
    func proxy() async throws {
        let service = try FakePayService()
        let closed = try ClosedPort()
        let proxy = "http://127.0.0.1:\(closed.port)"
        let environment = ["http_proxy": proxy, "all_proxy": proxy]
        #expect(try await ToolRun("info", service.address, environment: environment).status == 0)
        let through = try await ToolRun("info", service.address, "--proxy", proxy, "--json")
        #expect(through.status == 4)
        #expect(try through.json["fault"]?["name"] == "proxy")
    }

    @Test("The target is read from standard input for \"-\"")
    func standardInput() async throws {
        let service = try FakePayService()
        #expect(try await ToolRun("info", "-", input: " lightning:\(service.address)\n").status == 0)
    }
}
