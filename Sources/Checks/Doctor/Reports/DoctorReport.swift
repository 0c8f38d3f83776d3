package import LightningCoding

package struct DoctorReport: Sendable {
    package let evidence: Evidence
    /// One finding for each check, in order.
    package let findings: [Finding]

    package var worst: Verdict { findings.map(\.verdict).max() ?? .skipped }

    package var isAnswered: Bool {
        evidence.outage == nil && evidence.exchanges.contains { $0 != .dnsName && $1.silence == nil }
    }

    package func count(_ verdict: Verdict) -> Int { findings.count { $0.verdict == verdict } }

    package var groups: [(title: String, findings: [Finding])] {
        CheckGroup.all.map { group in
            let names = Set(group.checks.map(\.name))
            return (group.title, findings.filter { names.contains($0.check.name) })
        }.filter { !$0.findings.isEmpty }
    }

    /// `58 passed, 2 warnings, 1 failed, 20 skipped`
    package var summary: String {
        "\(count(.passed)) passed, \(count(.warning)) warnings, \(count(.failed)) failed, \(count(.skipped)) skipped"
    }
}

extension DoctorReport {
    package var json: JSONObject {
        [
            "target": .string(evidence.service.name), "url": .string(evidence.service.url.text),
            "verdict": .string(worst.rawValue),
            "counts": .object(
                Verdict.allCases.reduce(into: JSONObject()) { $0.append($1.rawValue, .integer(count($1))) }),
            "findings": .array(
                groups.flatMap { group in group.findings.map { Self.json(of: $0, group: group.title) } }),
            "exchanges": .array(
                Probe.allCases.compactMap { probe in
                    evidence.exchanges[probe].map { ExchangeText(probe, $0).json }
                }),
        ]
    }

    private static func json(of finding: Finding, group: String) -> JSONValue {
        let check = finding.check
        return [
            "name": .string(check.name), "group": .string(group), "verdict": .string(finding.verdict.rawValue),
            "severity": .string(check.severity.rawValue), "subject": .string(check.subject),
            "detail": .string(finding.detail),
            "rule": ["document": .string(check.rule.document), "text": .string(check.rule.text)],
            "breaks": .array(
                check.brokenClients.map { ["name": .string($0.name), "source": .string($0.source)] }),
            "exchanges": .array(finding.probes.map { .string($0.rawValue) }),
        ]
    }
}

extension ExchangeText {
    fileprivate var json: JSONValue {
        [
            "name": .string(probe.rawValue), "request": .string(request), "sentBody": .text(sentBody),
            "status": .string(status), "headers": .array(headers.map { .string($0) }), "body": .text(body),
            "milliseconds": milliseconds.map { .integer(Int($0)) } ?? .null,
        ]
    }
}

extension DoctorReport {
    /// What is shown to people, by group.
    ///
    /// - Parameter isVerbose: whether every finding is shown, not only what fails or warns.
    package func groups(isVerbose: Bool) -> [(title: String, findings: [Finding])] {
        // Why nothing could be checked is all that there is to say then.
        let least = min(worst, Verdict.warning)
        return groups.map { group in
            (group.title, group.findings.filter { isVerbose || $0.verdict >= least && worst != .passed })
        }.filter { !$0.findings.isEmpty }
    }

    /// More about a finding: its rule, who stumbled over it, and what was sent and answered.
    package func details(of finding: Finding) -> [(label: String, text: String)] {
        let check = finding.check
        var details = [(label: "rule", text: "\(check.rule.document): \(check.rule.text)")]
        if !check.brokenClients.isEmpty {
            details.append(("breaks", check.brokenClients.map { "\($0.name) (\($0.source))" }.joined(separator: ", ")))
        }
        guard finding.verdict != .skipped else { return details }
        // The most important first.
        let texts = finding.probes.compactMap { probe in evidence.exchanges[probe].map { ExchangeText(probe, $0) } }
        for text in texts.prefix(2) {
            details.append(("sent", text.request + (text.sentBody.map { " " + $0 } ?? "")))
            details.append(("answer", text.answerLine))
        }
        return details
    }
}
