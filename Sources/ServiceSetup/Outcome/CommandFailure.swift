package import Settings
package import LightningCoding

/// Why a command failed, worded for people.
package struct CommandFailure: Error, Hashable, Sendable {
    package let status: ExitStatus
    package let reasons: [String]

    package init(_ status: ExitStatus, _ reason: String) {
        self.status = status
        reasons = [reason]
    }

    package init(_ status: ExitStatus, _ reasons: [String]) {
        self.status = status
        self.reasons = reasons
    }

    package init(_ faults: ConfigurationFaults) {
        status = .configuration
        reasons = faults.faults.map(\.description)
    }

    package var text: String { reasons.map { "error: \($0)\n" }.joined() }

    package var json: JSONValue {
        ["error": ["code": .integer(Int(status.rawValue)), "reasons": .array(reasons.map { .string($0) })]]
    }
}

extension CommandFailure {
    /// What was asked for cannot be printed.
    package static let outputFailed = CommandFailure(
        .input, "standard output cannot be written; is the disk full?")
}
