import LightningCoding

/// A line of a report for a terminal. Its texts are safe to print.
public enum ReportLine: Sendable, Equatable {
    /// The heading of a group.
    case heading(String)
    /// A check and its result.
    case finding(Verdict, name: String, detail: String)
    /// More about the check above: a label, and a text.
    case more(String, String)
}

extension DoctorReport {
    /// The report for people, line by line.
    ///
    /// - Parameter isVerbose: whether every check is shown with its rule and exchanges, not only what fails or warns.
    public func lines(isVerbose: Bool) -> [ReportLine] {
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
