package import LightningCoding

package struct CommandResult: Sendable {
    package let text: String
    package let json: JSONValue

    package init(text: String, json: JSONValue) {
        self.text = text
        self.json = json
    }
}

/// The exit codes of failed commands: those of `sysexits.h` where they fit.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case no = 1
    case usage = 64
    case data = 65
    case noInput = 66
    case unavailable = 69
    case cannotCreate = 73
    case input = 74
    case uncertain = 75
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
