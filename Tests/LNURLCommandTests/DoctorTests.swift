import Doctor
import LightningCoding
import LoopbackServer
import Testing

@Suite("lnurl doctor", .timeLimit(.minutes(5)))
struct DoctorCommandTests {
    @Test("The exit status follows the worst verdict: a warning, a broken rule, no answer, nothing checked")
    func status() async throws {
        let warned = try FakePayService()
        let checks = ["--only", "disposable-address", "--only", "tag", "--rate", "1000"]
        #expect(try await ToolRun(["doctor", warned.address] + checks).status == 6)
        let wrong = try FakePayService(info: { try .json(Script.info($0, ["tag": "payrequest"])) })
        #expect(try await ToolRun(["doctor", wrong.address] + checks).status == 2)
        let right = try FakePayService()
        #expect(try await ToolRun("doctor", right.address, "--only", "tag").status == 0)
        #expect(try await ToolRun("doctor", "alice@127.0.0.1:1", "--only", "tag").status == 4)
        #expect(try await ToolRun("doctor", right.address, "--only", "withdraw-link").status == 7)
        let busy = try FakePayService(info: { _ in LoopbackAnswer(status: 503, "later", type: "text/plain") })
        #expect(try await ToolRun("doctor", busy.address, "--only", "tag").status == 4)
    }

    @Test("The report goes to standard output, progress to standard error")
    func text() async throws {
        let service = try FakePayService()
        let run = try await ToolRun("doctor", service.address, "--rate", "1000")
        // That service reads any amount.
        #expect(run.status == 2)
        #expect(run.output.contains("✗ amount-negative"))
        #expect(run.output.hasPrefix(service.address))
        #expect(!run.output.contains("reachable"))
        #expect(run.output.hasSuffix("; --verbose shows all\n"))
        let verbose = try await ToolRun("doctor", service.address, "--only", "reachable", "--verbose")
        #expect(verbose.output.contains("✓ reachable"))
        #expect(run.output.contains("! verify-offered"))
        #expect(run.output.contains("      breaks  shops (blinkbitcoin/blink-mobile#3455)"))
        #expect(run.errors.hasPrefix("… sending up to "))
    }

    @Test("--json prints one object with a finding for each check")
    func json() async throws {
        let service = try FakePayService()
        let run = try await ToolRun("doctor", service.address, "--rate", "1000", "--json")
        #expect(try run.json["ok"] == false)
        #expect(try run.json["verdict"] == "failed")
        #expect(try run.json["findings"]?.array?.count == ServiceCheck.all.count)
    }

    @Test("--against asks another server under the same name")
    func against() async throws {
        let service = try FakePayService(info: { request in
            try .json(Script.info(request, ["callback": "https://pay.example/callback"]))
        })
        let run = try await ToolRun(
            "doctor", "alice@pay.example", "--against", "http://\(service.authority)", "--only", "identifier", "--only",
            "callback-host", "--only", "invoice-amount", "--json")
        #expect(run.status == 0)
        #expect(service.requests.map { $0.header("host") } == ["pay.example", "pay.example"])
    }

    @Test("A check that does not exist, and a target beside --list, are mistakes of the command line")
    func mistakes() async throws {
        #expect(try await ToolRun("doctor", "alice@127.0.0.1:1", "--only", "nothing").status == 64)
        #expect(try await ToolRun("doctor", "alice@127.0.0.1:1", "--list").status == 64)
        #expect(try await ToolRun("doctor").status == 64)
    }

    @Test("--list shows every check without a request")
    func list() async throws {
        let run = try await ToolRun("doctor", "--list")
        #expect(run.status == 0)
        for check in ServiceCheck.all { #expect(run.output.contains(check.name)) }
    }
}
