/// One rule that a service must follow, and how recorded exchanges show whether it does. No I/O.
public struct ServiceCheck: Sendable {
    /// Why a check could not be made.
    public struct Skipped: Error, Hashable, Sendable {
        /// The reason, as a phrase: `no comment is allowed`.
        public let reason: String

        /// Creates a reason.
        public init(_ reason: String) {
            self.reason = reason
        }
    }

    /// What the exchanges show.
    public enum Judgement: Hashable, Sendable {
        /// The rule is followed; what was found, where the subject does not say it all.
        case follows(String = "")
        /// The rule is broken; what was found, and the requests whose exchanges show it, unless it is the first that
        /// the check reads.
        case breaks(String, at: [Probe] = [])
    }

    /// Its stable name: lower-case words joined by hyphens.
    public let name: String
    /// What is asked, as a phrase: `the first answer is a JSON object`.
    public let subject: String
    /// The rule.
    public let rule: Rule
    /// What a broken rule means.
    public let severity: Severity
    /// Who failed at servers that break it.
    public let brokenClients: [BrokenClient]
    /// The requests whose exchanges it reads, the most important first.
    public let probes: [Probe]
    private let judge: @Sendable (Evidence) throws(Skipped) -> Judgement

    /// Creates a check.
    ///
    /// - Parameter judge: reads the exchanges. Throws when they cannot show it, so that each fault is reported once.
    init(
        _ name: String, _ subject: String, _ severity: Severity, _ rule: Rule,
        breaks brokenClients: [BrokenClient] = [],
        reads probes: [Probe], judge: @escaping @Sendable (Evidence) throws(Skipped) -> Judgement
    ) {
        self.name = name
        self.subject = subject
        self.severity = severity
        self.rule = rule
        self.brokenClients = brokenClients
        self.probes = probes
        self.judge = judge
    }

    /// The verdict on recorded exchanges.
    public func finding(in evidence: Evidence) -> Finding {
        do throws(Skipped) {
            switch try judge(evidence) {
            case .follows(let detail): return Finding(check: self, verdict: .passed, detail: detail, probes: probes)
            case .breaks(let detail, let shown):
                return Finding(
                    check: self, verdict: severity == .must ? .failed : .warning, detail: detail,
                    probes: shown.isEmpty ? Array(probes.prefix(1)) : shown)
            }
        } catch {
            return Finding(check: self, verdict: .skipped, detail: error.reason, probes: [])
        }
    }
}
