package import LightningCoding

package struct CommandResult: Sendable {
    package let text: String
    /// For programs: one object.
    package let json: JSONValue

    /// The same content for people and for programs.
    package init(text: String, json: JSONValue) {
        self.text = text
        self.json = json
    }
}

/// The exit codes of failed commands: those of `sysexits.h` where they fit.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Not found, or the check failed.
    case no = 1
    case usage = 64
    /// The input is damaged or of the wrong kind.
    case data = 65
    /// An input file does not exist.
    case noInput = 66
    /// The ledger is locked, or another dependency does not answer now.
    case unavailable = 69
    /// A file or folder cannot be created.
    case cannotCreate = 73
    /// The disk is full, or reading or writing failed.
    case input = 74
    /// It is unknown whether a reply was delivered.
    case uncertain = 75
    /// A file may not be opened, or its permissions are too open.
    case permission = 77
    case configuration = 78

    package var meaning: String {
        switch self {
        case .no: "not found, or the check failed"
        case .usage: "the command line is invalid"
        case .data: "the input is damaged or of the wrong kind"
        case .noInput: "a given file does not exist"
        case .unavailable: "unavailable or locked; try again later"
        case .cannotCreate: "a file or folder cannot be created"
        case .input: "an I/O error, or the disk is full"
        case .uncertain: "it is unknown whether the reply was accepted"
        case .permission: "a file is not readable, is accessible to others, or belongs to another user"
        case .configuration: "the configuration is invalid"
        }
    }

    package static var help: String {
        "EXIT CODES\n   0  done\n"
            + allCases.map { status in
                let code = String(status.rawValue)
                return String(repeating: " ", count: max(0, 4 - code.count)) + code + "  " + status.meaning
            }.joined(separator: "\n")
    }
}
