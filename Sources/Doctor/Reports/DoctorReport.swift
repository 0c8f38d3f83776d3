import LightningCoding

/// The findings of an examination.
public struct DoctorReport: Sendable {
    /// What was recorded.
    public let evidence: Evidence
    /// One finding for each check, in order.
    public let findings: [Finding]

    /// Creates a report.
    public init(_ evidence: Evidence, findings: [Finding]) {
        self.evidence = evidence
        self.findings = findings
    }

    /// The worst verdict.
    public var worst: Verdict { findings.map(\.verdict).max() ?? .skipped }

    /// Whether the service answered at all.
    public var isAnswered: Bool {
        evidence.outage == nil && evidence.exchanges.contains { $0 != .dnsName && $1.silence == nil }
    }

    /// How many findings have a verdict.
    public func count(_ verdict: Verdict) -> Int { findings.count { $0.verdict == verdict } }

    /// The findings of each group that has any.
    public var groups: [(title: String, findings: [Finding])] {
        CheckGroup.all.map { group in
            let names = Set(group.checks.map(\.name))
            return (group.title, findings.filter { names.contains($0.check.name) })
        }.filter { !$0.findings.isEmpty }
    }

    /// `58 passed, 2 warnings, 1 failed, 20 skipped`
    public var summary: String {
        "\(count(.passed)) passed, \(count(.warning)) warnings, \(count(.failed)) failed, \(count(.skipped)) skipped"
    }

    /// The exchanges that show a finding, the most important first; at most two.
    public func exchanges(of finding: Finding) -> [(probe: Probe, exchange: RecordedExchange)] {
        finding.probes.compactMap { probe in evidence.exchanges[probe].map { (probe, $0) } }.prefix(2).map(\.self)
    }
}
