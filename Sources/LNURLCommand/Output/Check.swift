import LightningCoding

/// One rule that was looked at, and what was found.
struct Check: Equatable {
    enum Verdict: String {
        case passed
        /// Unusual, but no reason not to pay.
        case warning
        case failed
    }

    /// What was looked at: a short name that stays as it is.
    let name: String
    let verdict: Verdict
    /// What was found, for people.
    let detail: String

    static func passed(_ name: String, _ detail: String) -> Check {
        Check(name: name, verdict: .passed, detail: detail)
    }

    static func warning(_ name: String, _ detail: String) -> Check {
        Check(name: name, verdict: .warning, detail: detail)
    }

    static func failed(_ name: String, _ detail: String) -> Check {
        Check(name: name, verdict: .failed, detail: detail)
    }

    var json: JSONValue {
        ["name": .string(name), "verdict": .string(verdict.rawValue), "detail": .string(detail)]
    }
}

extension [Check] {
    var json: JSONValue { .array(map(\.json)) }

    var haveFailed: Bool { contains { $0.verdict == .failed } }
}
