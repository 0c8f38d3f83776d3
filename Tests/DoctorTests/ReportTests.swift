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

    @Test("Without --verbose only what fails or warns is shown, and each line makes sense alone")
    func brief() async throws {
        let report = try await Examiner.report(on: .info { $0["tag"] = "payrequest" })
        #expect(
            report.lines(isVerbose: false).prefix(2) == [
                .heading("First answer"),
                .finding(.failed, name: "tag", detail: "the tag is payRequest: it is \"payrequest\""),
            ])
        #expect(
            report.lines(isVerbose: true).contains(
                .finding(.passed, name: "invoice-unique", detail: "each request has an invoice of its own")))
        #expect(try await Examiner.report().lines(isVerbose: false) == [])
    }

    @Test("What a service says is repeated in a thousand characters at the most")
    func length() async throws {
        let reason = String(repeating: "e\u{301}", count: 100_000)
        let report = try await Examiner.report(
            on: .with { $0.after = { _, answer in answer.body = ["status": "ERROR", "reason": .string(reason)] } })
        #expect(report.findings.allSatisfy { $0.detail.unicodeScalars.count <= 1001 })
        #expect(report.findings.contains { $0.detail.hasSuffix("…") })
        #expect(report.json["exchanges"]?.array?.allSatisfy { ($0["body"]?.string?.utf8.count ?? 0) < 10_000 } == true)
    }

    @Test("A rule that many answers break shows the first of them, and how many more there are")
    func many() async throws {
        let report = try await Examiner.report(
            on: .with { $0.after = { _, answer in answer.drop("Access-Control-Allow-Origin") } })
        let finding = try #require(report.findings.first { $0.check.name == "cross-origin" })
        #expect(finding.detail == "info: missing, and \(finding.probes.count - 1) more")
        #expect(finding.probes.count > 30)
        let one = try await Examiner.report(on: .skipping(.zapAmount))
        let lines = one.lines(isVerbose: false)
        #expect(lines.count { if case .more("sent", _) = $0 { true } else { false } } == 1)
        #expect(lines.contains { if case .more("sent", let text) = $0 { text.contains("nostr=") } else { false } })
    }
}
