/// One request of an examination. Each is sent at most once, in this order.
package enum Probe: String, CaseIterable, Hashable, Sendable {
    // To the address.
    /// The first step (LUD-06, LUD-16).
    case info
    case infoPreflight = "info-preflight"
    case infoUnknownParameter = "info-unknown-parameter"
    case infoUpperCase = "info-upper-case"
    case infoTag = "info-tag"
    case infoPercentEncoded = "info-percent-encoded"
    case infoOtherHost = "info-other-host"
    case unknownName = "unknown-name"
    /// The list of Nostr names (NIP-05).
    case nostrName = "nostr-name"
    /// The TXT records of the name, asked of a resolver (BIP-353).
    case dnsName = "dns-name"

    // To the callback.
    /// A usual amount (LUD-06).
    case invoice
    case invoicePreflight = "invoice-preflight"
    case invoicePost = "invoice-post"
    case unknownParameter = "unknown-parameter"
    case parameterOrder = "parameter-order"
    case amountOdd = "amount-odd"
    case amountMinimum = "amount-minimum"
    case amountMaximum = "amount-maximum"
    case amountBelowMinimum = "amount-below-minimum"
    case amountAboveMaximum = "amount-above-maximum"
    case amountZero = "amount-zero"
    case amountNegative = "amount-negative"
    case amountExponent = "amount-exponent"
    case amountFraction = "amount-fraction"
    case amountHexadecimal = "amount-hexadecimal"
    case amountSign = "amount-sign"
    case amountSpace = "amount-space"
    case amountHuge = "amount-huge"
    case amountEmpty = "amount-empty"
    case amountMissing = "amount-missing"
    case amountRepeated = "amount-repeated"
    case commentEmpty = "comment-empty"
    case commentLongest = "comment-longest"
    case commentLongestEmoji = "comment-longest-emoji"
    case commentTooLong = "comment-too-long"
    case commentTooLongEmoji = "comment-too-long-emoji"
    case payerData = "payer-data"
    case payerDataMissing = "payer-data-missing"
    case payerDataForged = "payer-data-forged"
    /// A zap request (NIP-57).
    case zap
    case zapForged = "zap-forged"
    case zapOtherAmount = "zap-other-amount"

    // About the invoice.
    /// Whether the invoice is paid (LUD-21).
    case verify
    case verifyUpperCase = "verify-upper-case"
    case verifyUnknown = "verify-unknown"
    case verifyOtherName = "verify-other-name"
    case verifyMalformed = "verify-malformed"

    // Once more.
    case infoAgain = "info-again"
    case invoiceAgain = "invoice-again"
    case verifyAgain = "verify-again"
}

extension Probe {
    /// What it is a form of, and a right answer to it an answer to.
    var step: HTTPRule.Step {
        switch self {
        case .infoPreflight, .invoicePreflight: .preflight
        case .info, .infoUnknownParameter, .infoUpperCase, .infoTag, .infoPercentEncoded, .infoOtherHost, .unknownName,
            .nostrName, .dnsName, .infoAgain:
            .info
        case .verify, .verifyUpperCase, .verifyUnknown, .verifyOtherName, .verifyMalformed, .verifyAgain: .verify
        default: .invoice
        }
    }

    /// Whether no service may answer it with anything but an ERROR.
    var isWrong: Bool {
        switch self {
        case .unknownName, .amountBelowMinimum, .amountAboveMaximum, .amountZero, .amountNegative,
            .amountExponent, .amountFraction, .amountHexadecimal, .amountSign, .amountSpace, .amountHuge,
            .amountEmpty, .amountMissing, .amountRepeated, .commentTooLong, .commentTooLongEmoji, .payerDataMissing,
            .payerDataForged, .zapForged, .zapOtherAmount, .verifyUnknown:
            true
        default: false
        }
    }

    /// Whether its URL is one that the service gave to nobody: another server may refuse it in its own way.
    var isOfUnknownPath: Bool { self == .verifyOtherName || self == .verifyMalformed }

    /// The probes whose answers its request is made of.
    var sources: Set<Probe> {
        switch step {
        case .info: []
        case .invoice, .preflight, .refusal: self == .invoiceAgain ? [.info, .infoAgain] : [.info]
        case .verify: [.info, .invoice]
        }
    }
}
