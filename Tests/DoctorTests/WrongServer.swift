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

    /// The checks that pass when a request is refused.
    static let refusals = [
        "name-unknown", "amount-below-minimum", "amount-above-maximum", "amount-zero", "amount-negative",
        "amount-exponent", "amount-fraction", "amount-hexadecimal", "amount-sign", "amount-space", "amount-huge",
        "amount-empty", "amount-missing", "amount-repeated", "comment-too-long", "comment-too-long-emoji",
        "payer-data-missing", "payer-data-forged", "verify-unknown", "verify-other-name", "verify-malformed",
        "zap-forged", "zap-other-amount",
    ]

    static let all: [WrongServer] =
        http + badInput + info + metadata + invoices + amounts + payers + settlements + names
}
