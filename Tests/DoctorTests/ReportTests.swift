import Doctor
import LightningCoding
import Testing

@Suite("Reports of the doctor", .timeLimit(.minutes(5)))
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

    @Test("What is said of a broken rule is what was sent, what came, and who breaks")
    func lines() async throws {
        let report = try await Examiner.report(on: .invoice { $0["pr"] = .null })
        let group = try #require(report.groups(isVerbose: false).first)
        let finding = try #require(group.findings.first)
        #expect(finding.verdict == .failed)
        #expect(finding.check.name == "invoice-present")
        #expect(finding.text == "pr is a string: it is null")
        let details = report.details(of: finding)
        #expect(details.map(\.label) == ["rule", "breaks", "sent", "answer"])
        #expect(details[0].text == "LUD-06: pr: a bech32-serialized lightning invoice.")
        #expect(details[1].text == "Alby (getAlby/lightning-browser-extension#2016)")
        #expect(details[2].text.contains("/callback/alice?amount=21000"))
        #expect(details[3].text.hasPrefix("200, application/json: {\"pr\":null"))
        #expect(report.groups(isVerbose: true).flatMap(\.findings).count == report.findings.count)
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
        let groups = report.groups(isVerbose: false)
        #expect(groups.map(\.title) == ["First answer"])
        #expect(groups.flatMap(\.findings).map(\.text) == ["the tag is payRequest: it is \"payrequest\""])
        let all = report.groups(isVerbose: true).flatMap(\.findings).map(\.text)
        #expect(all.contains("each request has an invoice of its own"))
        #expect(try await Examiner.report().groups(isVerbose: false).isEmpty)
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
        let findings = one.groups(isVerbose: false).flatMap(\.findings)
        let sent = findings.flatMap { one.details(of: $0) }.filter { $0.label == "sent" }
        #expect(sent.count == 1)
        #expect(sent.allSatisfy { $0.text.contains("nostr=") })
    }
}
