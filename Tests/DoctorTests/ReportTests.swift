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

    @Test("HTML escapes what a server wrote, scalar by scalar, and has no scripts")
    func html() async throws {
        let page = try await hostileReport().html(at: ExaminedServer.now)
        #expect(page.contains("&lt;script&gt;"))
        #expect(page.unicodeScalars.elementsEqual(page.unicodeScalars.filter { !$0.isForbidden }))
        #expect(!page.utf8.contains(sequence: "<script"))
        let (raw, escaped) = ("\"\u{301} onfocus", "&quot;\u{301} onfocus")
        #expect(!page.utf8.contains(sequence: raw))
        #expect(page.utf8.contains(sequence: escaped))
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(page.contains("2027-01-15T08:00:00Z"))
    }

    @Test("HTML shows each request once, and its answer")
    func htmlOnce() async throws {
        let page = try await hostileReport().html(at: ExaminedServer.now)
        let exchanges = page.ranges(of: "class=\"exchange\"").count
        #expect(exchanges > 0)
        #expect(page.ranges(of: "<pre").count == 2 * exchanges)
    }

    @Test("JUnit has a suite for each group, a failure with the rule and the exchange, and no forbidden characters")
    func junit() async throws {
        let report = try await hostileReport()
        let text = report.junit
        #expect(text.ranges(of: "<testsuite ").count == report.groups.count)
        #expect(text.ranges(of: "<testcase ").count == report.findings.count)
        #expect(text.ranges(of: "<failure ").count == 1)
        #expect(text.contains("LUD-06: tag: &quot;payRequest&quot;."))
        #expect(text.contains("GET http://127.0.0.1:"))
        #expect(!text.unicodeScalars.contains { $0.isForbidden })
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
        #expect(!report.html(at: ExaminedServer.now).contains(preimage))
        #expect(!report.junit.contains(preimage))
        #expect(!JSONValue.object(report.json).serialized().contains(preimage))
    }
}

extension Unicode.Scalar {
    /// Controls that XML forbids.
    fileprivate var isForbidden: Bool { value < 0x20 && value != 0x0A && value != 0x09 }
}

extension String.UTF8View {
    fileprivate func contains(sequence text: String) -> Bool {
        let (bytes, wanted) = (Array(self), Array(text.utf8))
        return bytes.indices.dropLast(wanted.count - 1).contains { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
