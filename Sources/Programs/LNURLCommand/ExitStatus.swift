/// The tool's exit codes, for scripts. 64 and above are those of `sysexits.h`.
enum ExitStatus: Int32, CaseIterable {
    case ok = 0
    case refused = 1
    case brokenRule = 2
    case pending = 3
    case noAnswer = 4
    case expired = 5
    case warned = 6
    case unchecked = 7
    case usage = 64
    case badInput = 65
    case unreadableFile = 66
    case unwritableFile = 73
    case failedOutput = 74

    var meaning: String {
        switch self {
        case .ok: "success: answered, settled, all vectors pass; there may be warnings"
        case .refused: "the service answered with an ERROR, whose reason is shown"
        case .brokenRule: "an answer, an invoice, a request or a vector breaks a rule: do not pay"
        case .pending: "not paid yet, or --wait ran out"
        case .noAnswer: "no answer: no such host, no connection, no TLS, a timeout, an answer too long, or HTTP 503"
        case .expired: "not paid, and the invoice has expired"
        case .warned: "the doctor has warnings, and finds no broken rule"
        case .unchecked: "the doctor could make none of the checks"
        case .usage: "the command line is invalid"
        case .badInput: "the input cannot be parsed, or is not what the service accepts"
        case .unreadableFile: "a file cannot be read"
        case .unwritableFile: "a file cannot be written"
        case .failedOutput: "standard output cannot be written, such as on a full disk"
        }
    }

    static let table = allCases.map { status in
        let code = String(status.rawValue)
        return String(repeating: " ", count: 4 - code.count) + code + "  " + status.meaning
    }.joined(separator: "\n")
}
