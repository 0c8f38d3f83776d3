/// The tool's exit codes, for scripts. 64 and above are those of `sysexits.h`.
enum ExitStatus: Int32, CaseIterable {
    case ok = 0
    case refused = 1
    case brokenRule = 2
    case pending = 3
    case noAnswer = 4
    case expired = 5
    case usage = 64
    case badInput = 65
    case unreadableFile = 66
    case unwritableFile = 73

    /// What the status means.
    var meaning: String {
        switch self {
        case .ok: "done: answered, settled, all vectors pass; warnings may have been printed"
        case .refused: "the service answered with an ERROR; its reason is shown"
        case .brokenRule: "an answer, an invoice, a request or a vector breaks a rule: do not pay"
        case .pending: "not paid yet, also when --wait ran out"
        case .noAnswer: "no answer: no such host, no connection, no TLS, too late, too long, not now (HTTP 503)"
        case .expired: "not paid, and the invoice has expired"
        case .usage: "the command line is wrong"
        case .badInput: "what was given cannot be read, or is not what the service takes"
        case .unreadableFile: "a file cannot be read"
        case .unwritableFile: "a file cannot be written"
        }
    }

    /// All of them, one per line.
    static let table = allCases.map { status in
        let code = String(status.rawValue)
        return String(repeating: " ", count: 4 - code.count) + code + "  " + status.meaning
    }.joined(separator: "\n")
}
