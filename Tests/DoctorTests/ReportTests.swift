import Doctor
import LightningCoding
import Testing

@Suite("Reports of the doctor", .timeLimit(.minutes(2)))
struct ReportTests {
    /// What a hostile server writes: markup, quotation marks with combining marks, control characters.
    private static let hostile = "x\"\u{301} onfocus=alert(1) <script>&'\u{1}\u{202E}"

    private func hostileReport() async throws -> DoctorReport {
        try await Examiner.report(
            on: .with { fault in
                fault.after = { request, answer in
                    guard request.isInfo, !answer.isError else { return }
                    answer.body["tag"] = .string(Self.hostile)
                    answer.headers.append("X-Note: <script>")
                }
            })
    }

    @Test("JSON has every finding with its rule, and every exchange once")
    func json() async throws {
        let report = try await hostileReport()
        let json = report.json
        #expect(json["verdict"] == "failed")
        #expect(json["counts"]?["failed"] == 1)
        let findings = try #require(json["findings"]?.array)
        #expect(findings.compactMap { $0["name"]?.string } == ServiceCheck.all.map(\.name))
        let tag = try #require(findings.first { $0["name"] == "tag" })
        #expect(tag["rule"]?["document"] == "LUD-06")
        #expect(tag["exchanges"] == ["info"])
        #expect(json["exchanges"]?.array?.count == report.evidence.exchanges.count)
    }

    @Test(
        "Text for a terminal has no control characters, and says of a broken rule what was sent, what came, and who breaks"
    )
    func lines() async throws {
        let report = try await Examiner.report(on: .invoice { $0["pr"] = .null })
        let lines = report.lines(isVerbose: false)
        let start = try #require(lines.firstIndex { if case .finding(.failed, _, _) = $0 { true } else { false } })
        #expect(lines[start] == .finding(.failed, name: "invoice-present", detail: "pr is a string: it is null"))
        #expect(lines[start + 1] == .more("rule", "LUD-06: pr: a bech32-serialized lightning invoice."))
        #expect(lines[start + 2] == .more("breaks", "Alby (getAlby/lightning-browser-extension#2016)"))
        guard case .more("sent", let sent) = lines[start + 3], case .more("answer", let answer) = lines[start + 4]
        else {
            Issue.record("no exchange")
            return
        }
        #expect(sent.contains("/callback/alice?amount=21000"))
        #expect(answer.hasPrefix("200, application/json: {\"pr\":null"))
        #expect(report.lines(isVerbose: true).count > lines.count)
    }

    @Test("A preimage that a server shows too early is not shown again")
    func secrets() async throws {
        let preimage = String(repeating: "07", count: 32)
        let report = try await Examiner.report(on: .verify { $0["preimage"] = .string(preimage) })
        #expect(report.names(.failed) == ["verify-preimage"])
        #expect(!JSONValue.object(report.json).serialized().contains(preimage))
    }
}
