import MarkupWriting

extension DoctorReport {
    /// The report as JUnit XML: a suite for each group; a warning is a passed test with output.
    public var junit: String {
        let suites = groups.map { group in
            Markup.element(
                "testsuite",
                [
                    ("name", group.title), ("tests", "\(group.findings.count)"),
                    ("failures", "\(group.findings.count { $0.verdict == .failed })"),
                    ("skipped", "\(group.findings.count { $0.verdict == .skipped })"), ("errors", "0"),
                ], group.findings.map { testCase($0, group: group.title) })
        }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        Markup.element("testsuites", [("name", "lnurl doctor \(evidence.service.name)")], suites).write(
            to: &text, isXML: true)
        return text + "\n"
    }

    private func testCase(_ finding: Finding, group: String) -> Markup {
        let attributes = [
            ("classname", "lnurl doctor.\(group)"), ("name", "\(finding.check.name): \(finding.check.subject)"),
        ]
        let rule = "\(finding.check.rule.document): \(finding.check.rule.text)"
        let exchanges = exchanges(of: finding).map { ExchangeText($0.probe, $0.exchange) }
            .map { "\($0.request)\n\($0.answerLine)" }
        let output = ([finding.detail, rule] + exchanges).joined(separator: "\n")
        let children: [Markup] =
            switch finding.verdict {
            case .passed: []
            case .skipped: [.element("skipped", [("message", finding.detail)], [])]
            case .warning: [.element("system-out", [], "warning: " + output)]
            case .failed: [.element("failure", [("message", finding.detail)], output)]
            }
        return .element("testcase", attributes, children)
    }
}
