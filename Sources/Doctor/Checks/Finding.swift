/// The result of one check.
public struct Finding: Sendable {
    /// The check.
    public let check: ServiceCheck
    /// The verdict.
    public let verdict: Verdict
    /// What was found, or why the check was skipped; contains text of the service.
    public let detail: String
    /// The requests whose exchanges show it: those that broke the rule, or else those that the check reads.
    public let probes: [Probe]

    /// What was asked, and what was found: a line that makes sense alone.
    public var text: String { detail.isEmpty ? check.subject : "\(check.subject): \(detail)" }
}

/// The result of a check, or the worst of several.
public enum Verdict: String, CaseIterable, Hashable, Comparable, Sendable {
    /// It could not be made.
    case skipped
    /// The rule is followed.
    case passed
    /// A recommendation is not followed, or known wallets fail.
    case warning
    /// A rule is broken.
    case failed

    /// The less severe verdict is less.
    public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .skipped: 0
        case .passed: 1
        case .warning: 2
        case .failed: 3
        }
    }
}
