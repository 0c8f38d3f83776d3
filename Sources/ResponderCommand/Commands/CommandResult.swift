import LightningCoding

/// What a command has to say when all went well.
struct CommandResult: Sendable {
    /// For people.
    let text: String
    /// For programs: one object.
    let json: JSONValue
}

/// How a command ends, beside success: the exit codes of `sysexits.h` where they fit.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// What was asked about is not there, or is not so.
    case no = 1
    /// The command line is wrong.
    case usage = 64
    /// What was given as input is damaged or of another kind.
    case data = 65
    /// A file that was named is not there.
    case noInput = 66
    /// The ledger is locked, or something else does not answer now.
    case unavailable = 69
    /// A file or folder cannot be made.
    case cannotCreate = 73
    /// The disk is full, or reading or writing failed.
    case input = 74
    /// A file may not be opened, or may be opened by too many.
    case permission = 77
    /// The configuration is wrong.
    case configuration = 78

    /// What it stands for.
    var meaning: String {
        switch self {
        case .no: "what was asked about is not there, or not so"
        case .usage: "the command line is wrong"
        case .data: "the input is damaged, or of another kind"
        case .noInput: "a file that was named is not there"
        case .unavailable: "locked or not answering; try again later"
        case .cannotCreate: "a file or folder cannot be made"
        case .input: "the disk is full, or reading or writing failed"
        case .permission: "a file may not be opened, or is open to others"
        case .configuration: "the configuration is wrong"
        }
    }

    /// The paragraph of the help.
    static var help: String {
        "EXIT CODES\n   0  done\n"
            + allCases.map { status in
                let code = String(status.rawValue)
                return String(repeating: " ", count: max(0, 4 - code.count)) + code + "  " + status.meaning
            }.joined(separator: "\n")
    }
}

/// Why a command did not do what was asked, in the words that a person reads.
struct CommandFailure: Error, Hashable, Sendable {
    let status: ExitStatus
    let reasons: [String]

    init(_ status: ExitStatus, _ reason: String) {
        self.status = status
        reasons = [reason]
    }

    init(_ status: ExitStatus, _ reasons: [String]) {
        self.status = status
        self.reasons = reasons
    }

    init(_ faults: ConfigurationFaults) {
        status = .configuration
        reasons = faults.faults.map(\.description)
    }

    var text: String { reasons.map { "error: \($0)\n" }.joined() }

    var json: JSONValue {
        ["error": ["code": .integer(Int(status.rawValue)), "reasons": .array(reasons.map { .string($0) })]]
    }
}
