import Bolt11
import LightningCoding
import LightningCrypto
import Platform
import LoopbackServer
import Testing

@Suite("lnurl verify", .timeLimit(.minutes(5)))
struct VerifyTests {
    private static func pr(_ change: (inout Script.Draft) -> Void = { _ in }) throws -> String {
        var draft = Script.Draft(amount: Millisatoshi(21_000), description: .text("coffee"))
        change(&draft)
        return try draft.text
    }

    private static func settled() throws -> JSONValue {
        try Script.verification(settled: true, preimage: .string(Script.preimage.get().hexadecimal), pr: pr())
    }

    @Test("Unpaid exits with 3, settled with 0 and the proof")
    func states() async throws {
        let pr = try Self.pr()
        let unpaid = try FakePayService(verify: { _ in .json(Script.verification(settled: false, pr: pr)) })
        let waiting = try await ToolRun("verify", "http://\(unpaid.authority)/v", "--json")
        #expect(waiting.status == 3)
        #expect(
            try waiting.json.object?.members.map(\.key) == [
                "ok", "url", "settled", "expired", "preimage", "paymentHash", "pr", "checks",
            ])
        #expect(try waiting.json["settled"] == false)
        let paid = try FakePayService(verify: { _ in try .json(Self.settled()) })
        let run = try await ToolRun("verify", "http://\(paid.authority)/v")
        #expect(run.status == 0)
        #expect(run.output.contains(try Script.preimage.get().hexadecimal))
        #expect(run.output.contains("✓ checks") && !run.output.contains("✗") && !run.output.contains("not-cached"))
    }

    @Test("An unpaid expired invoice exits with 5, even with --wait")
    func expired() async throws {
        let pr = try Self.pr { $0.timestamp = UnixTime(1_700_000_000) }
        let service = try FakePayService(verify: { _ in .json(Script.verification(settled: false, pr: pr)) })
        #expect(try await ToolRun("verify", "http://\(service.authority)/v").status == 5)
        #expect(try await ToolRun("verify", "--wait", "http://\(service.authority)/v").status == 5)
    }

    @Test("A preimage of another payment, or one before settlement, exits with 2")
    func wrongPreimage() async throws {
        let pr = try Self.pr()
        let other = JSONValue.string(String(repeating: "00", count: 32))
        let wrong = try FakePayService(verify: { _ in
            .json(Script.verification(settled: true, preimage: other, pr: pr))
        })
        let run = try await ToolRun("verify", "http://\(wrong.authority)/v", "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["preimage"])
        let page = try await ToolRun("verify", "http://\(wrong.authority)/v").output
        #expect(page.hasPrefix("The service says settled, and its proof is wrong\n"))
        let early = try FakePayService(verify: { _ in
            .json(Script.verification(settled: false, preimage: other, pr: pr))
        })
        #expect(try await ToolRun("verify", "http://\(early.authority)/v").status == 2)
    }

    @Test("The headline tells the state of the payment where another rule is broken")
    func headline() async throws {
        let pr = try Self.pr()
        for (settled, headline) in [(false, "Not paid yet"), (true, "Settled")] {
            let service = try FakePayService(verify: { _ in
                let answer = try settled ? Self.settled() : Script.verification(settled: false, pr: pr)
                return LoopbackAnswer(
                    answer.serialized(), headers: FakePayService.cors + ["Content-Encoding: gzip"])
            })
            let run = try await ToolRun("verify", "http://\(service.authority)/v")
            #expect(run.status == 2)
            #expect(run.output.hasPrefix(headline + "\n"))
        }
    }

    @Test("Settled without a proof, or with an invoice that cannot be parsed, is a warning")
    func withoutProof() async throws {
        let pr = try Self.pr()
        let silent = try FakePayService(verify: { _ in .json(Script.verification(settled: true, pr: pr)) })
        let run = try await ToolRun("verify", "http://\(silent.authority)/v", "--json")
        #expect(run.status == 0)
        #expect(try run.checks("warning").contains("preimage"))
        let odd = try FakePayService(verify: { _ in .json(Script.verification(settled: true, pr: "lnbc1")) })
        #expect(
            Set(try await ToolRun("verify", "http://\(odd.authority)/v", "--json").checks("warning"))
                .isSuperset(of: ["invoice", "preimage"]))
    }

    @Test(
        "--wait polls until it is settled, despite failures, with or without a limit on either side of the URL",
        arguments: [
            ["URL", "--wait"], ["--wait", "URL"], ["URL", "--wait=30"], ["--wait=30", "URL"], ["URL", "--wait", "30"],
            ["--wait", "30", "URL"],
        ])
    func wait(words: [String]) async throws {
        let pr = try Self.pr()
        let count = Guarded(0)
        let service = try FakePayService(verify: { _ in
            let question = count.withLock { count in
                count += 1
                return count
            }
            return switch question {
            case 1, 3: .json(Script.verification(settled: false, pr: pr))
            case 2: LoopbackAnswer(raw: "no HTTP\r\n")
            default: try .json(Self.settled())
            }
        })
        let url = "http://\(service.authority)/v"
        let arguments = words.map { $0 == "URL" ? url : $0 }
        let run = try await ToolRun(["verify"] + arguments + ["--interval", "0.05", "--json"])
        #expect(run.status == 0)
        #expect(try run.json["settled"] == true)
        #expect(run.errors == "… not paid yet; waiting\n")
        #expect(service.requests.count == 4)
    }

    @Test("A wait that times out exits with 3")
    func waitedInVain() async throws {
        let pr = try Self.pr()
        let service = try FakePayService(verify: { _ in .json(Script.verification(settled: false, pr: pr)) })
        let url = "http://\(service.authority)/v"
        let run = try await ToolRun("verify", url, "--wait", "1", "--interval", "0.05")
        #expect(run.status == 3)
        #expect(service.requests.count > 1)
    }

    @Test("A refusal ends the wait")
    func refused() async throws {
        let service = try FakePayService()
        let run = try await ToolRun("verify", "http://\(service.authority)/v", "--wait")
        #expect(run.status == 1)
        #expect(run.errors.contains("Not found"))
    }

    @Test("The response with the invoice can be piped in")
    func piped() async throws {
        let paid = try FakePayService(verify: { _ in try .json(Self.settled()) })
        let answer: JSONValue = ["pr": "x", "verify": .string("http://\(paid.authority)/v")]
        #expect(try await ToolRun("verify", "-", input: answer.serialized()).status == 0)
        #expect(try await ToolRun("verify", "-", input: "{}").status == 65)
    }

    @Test("Plain http over the internet is refused, and so is an invalid URL")
    func urls() async throws {
        let clear = try await ToolRun("verify", "http://example.com/v", "--json")
        #expect(clear.status == 65)
        #expect(try clear.json["fault"]?["name"] == "clearnet-http")
        #expect(try await ToolRun("verify", "example.com").status == 65)
        for wait in [["--wait=soon"], ["--wait", "soon"], ["--wait", "0"], ["--wait", "-1"], ["--wait", "nan"]] {
            #expect(try await ToolRun(["verify", "http://127.0.0.1/v"] + wait).status == 64, "\(wait)")
        }
    }
}
