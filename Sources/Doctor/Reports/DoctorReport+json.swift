public import LightningCoding

extension DoctorReport {
    /// The report for programs.
    public var json: JSONObject {
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
