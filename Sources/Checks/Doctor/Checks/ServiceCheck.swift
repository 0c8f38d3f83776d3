/// One rule that a service must follow, and how recorded exchanges show whether it does. No I/O.
package struct ServiceCheck: Sendable {
    /// Its stable name: lower-case words joined by hyphens.
    package let name: String
    /// What is asked, as a phrase: `the first answer is a JSON object`.
    package let subject: String
    package let rule: Rule
    package let severity: Severity
    package let brokenClients: [BrokenClient]
    /// The requests whose exchanges it reads, the most important first.
    package let probes: [Probe]
    private let judge: @Sendable (Evidence) throws(Skipped) -> Judgment

    /// - Parameter judge: reads the exchanges. Throws when they cannot show it, so that each fault is reported once.
    init(
        _ name: String, _ subject: String, _ severity: Severity, _ rule: Rule,
        breaks brokenClients: [BrokenClient] = [],
        reads probes: [Probe], judge: @escaping @Sendable (Evidence) throws(Skipped) -> Judgment
    ) {
        self.name = name
        self.subject = subject
        self.severity = severity
        self.rule = rule
        self.brokenClients = brokenClients
        self.probes = probes
        self.judge = judge
    }

    package func finding(in evidence: Evidence) -> Finding {
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

/// Why a check could not be made, or a request not be sent.
struct Skipped: Error {
    /// The reason, as a phrase: `no comment is allowed`.
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

enum Judgment {
    /// The rule is followed; what was found, where the subject does not say it all.
    case follows(String = "")
    /// The rule is broken; what was found, and the requests whose exchanges show it, unless it is the first that
    /// the check reads.
    case breaks(String, at: [Probe] = [])
}

/// What a check relies on: a document and what it says.
package struct Rule: Hashable, Sendable {
    /// The document, such as `LUD-06`; `practice` where wallets rely on what no document says.
    package let document: String
    package let text: String

    init(_ document: String, _ text: String) {
        self.document = document
        self.text = text
    }
}

/// A wallet, library or shop that failed at a server that breaks a rule.
package struct BrokenClient: Hashable, Sendable {
    /// What failed: `Alby`, or what happened: `BitBanana refuses the invoice`.
    package let name: String
    /// Where it was reported: `owner/repository#number`.
    package let source: String

    init(_ name: String, _ source: String) {
        self.name = name
        self.source = source
    }
}

package enum Severity: String, Hashable, Sendable {
    /// A document demands it, or money is lost: breaking it fails.
    case must
    /// A document recommends it, or known wallets need it: breaking it is a warning.
    case should
}
