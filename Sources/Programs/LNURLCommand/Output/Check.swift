import LightningCoding

/// A check and its result.
struct Check: Equatable {
    enum Verdict: String {
        case passed
        /// Unusual, but payable.
        case warning
        case failed
        /// It could not be made.
        case skipped
    }

    /// The stable, short name of the check.
    let name: String
    let verdict: Verdict
    /// The finding, for people.
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
