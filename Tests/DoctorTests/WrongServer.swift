import LightningCoding
import Testing

/// A server with one fault, and the check that must catch it.
struct WrongServer: Sendable, CustomTestStringConvertible {
    let check: String
    /// What is wrong, when a check has several servers.
    let name: String
    let fault: ServedFault

    init(_ check: String, _ name: String, _ fault: ServedFault) {
        self.check = check
        self.name = name
        self.fault = fault
    }

    init(_ check: String, _ fault: ServedFault) { self.init(check, "", fault) }

    var testDescription: String { name.isEmpty ? check : "\(check): \(name)" }

    static let all: [WrongServer] = http + info + metadata + invoices + amounts + payers + settlements + names
}
