package import LightningCoding
package import OutboundHTTP

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

    /// The exchanges that show a finding, the most important first; at most two.
    package func exchanges(of finding: Finding) -> [(probe: Probe, exchange: HTTPExchange)] {
        finding.probes.compactMap { probe in evidence.exchanges[probe].map { (probe, $0) } }.prefix(2).map(\.self)
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

package enum ReportLine: Sendable, Equatable {
    case heading(String)
    case finding(Verdict, name: String, detail: String)
    /// More about the check above: a label, and a text.
    case more(String, String)
}

extension DoctorReport {
    /// The report for people, line by line.
    ///
    /// - Parameter isVerbose: whether every check is shown with its rule and exchanges, not only what fails or warns.
    package func lines(isVerbose: Bool) -> [ReportLine] {
        // Why nothing could be checked is all that there is to say then.
        let least = min(worst, Verdict.warning)
        return groups.flatMap { group in
            let shown = group.findings.filter { isVerbose || $0.verdict >= least && worst != .passed }
            return shown.isEmpty
                ? [] : [.heading(group.title)] + shown.flatMap { lines(of: $0, isVerbose: isVerbose) }
        }
    }

    private func lines(of finding: Finding, isVerbose: Bool) -> [ReportLine] {
        let isBroken = finding.verdict >= .warning
        let head = ReportLine.finding(finding.verdict, name: finding.check.name, detail: finding.text.printable)
        guard isBroken || isVerbose else { return [head] }
        let check = finding.check
        var more: [ReportLine] = [.more("rule", "\(check.rule.document): \(check.rule.text)")]
        if !check.brokenClients.isEmpty {
            more.append(
                .more("breaks", check.brokenClients.map { "\($0.name) (\($0.source))" }.joined(separator: ", ")))
        }
        if finding.verdict != .skipped {
            for (probe, exchange) in exchanges(of: finding) {
                let text = ExchangeText(probe, exchange)
                more.append(.more("sent", text.request + (text.sentBody.map { " " + $0 } ?? "")))
                more.append(.more("answer", text.answerLine))
            }
        }
        return [head] + more
    }
}
