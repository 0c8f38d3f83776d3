/// Checks of one subject, in the order of a report.
package struct CheckGroup: Sendable {
    package let title: String
    package let checks: [ServiceCheck]

    init(_ title: String, _ checks: [ServiceCheck]) {
        self.title = title
        self.checks = checks
    }

    package static let all: [CheckGroup] = [
        connection, http, firstAnswer, metadata, names, invoice, amounts, comments, payerData, successAction,
        settlement,
        repetition, zaps, nostrName, dnsName,
    ]
}

extension ServiceCheck {
    package static let all: [ServiceCheck] = CheckGroup.all.flatMap(\.checks)
}

package struct Finding: Sendable {
    package let check: ServiceCheck
    package let verdict: Verdict
    /// What was found, or why the check was skipped; contains text of the service.
    package let detail: String
    /// The requests whose exchanges show it: those that broke the rule, or else those that the check reads.
    package let probes: [Probe]

    init(check: ServiceCheck, verdict: Verdict, detail: String, probes: [Probe]) {
        self.check = check
        self.verdict = verdict
        self.detail = detail.shortened(to: 1000)
        self.probes = probes
    }

    /// What was asked, and what was found: a line that makes sense alone.
    package var text: String { detail.isEmpty ? check.subject : "\(check.subject): \(detail)" }
}

/// The result of a check, or the worst of several.
package enum Verdict: String, CaseIterable, Hashable, Comparable, Sendable {
    /// It could not be made.
    case skipped
    case passed
    /// A recommendation is not followed, or known wallets fail.
    case warning
    case failed

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
