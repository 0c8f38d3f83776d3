/// One request of an examination. Each is sent at most once, in this order.
package enum Probe: String, CaseIterable, Hashable, Sendable {
    // To the address.
    /// The first step (LUD-06, LUD-16).
    case info
    case infoPreflight = "info-preflight"
    /// It, with a parameter that nobody defines.
    case infoUnknownParameter = "info-unknown-parameter"
    /// It, with the name in capital letters.
    case infoUpperCase = "info-upper-case"
    /// It, with a tag after the name.
    case infoTag = "info-tag"
    /// It, with the first letter percent-encoded.
    case infoPercentEncoded = "info-percent-encoded"
    /// It, with another `Host` field.
    case infoOtherHost = "info-other-host"
    /// It, for a name that does not exist.
    case unknownName = "unknown-name"
    /// The list of Nostr names (NIP-05).
    case nostrName = "nostr-name"
    /// The TXT records of the name, asked of a resolver (BIP-353).
    case dnsName = "dns-name"

    // To the callback.
    /// A usual amount (LUD-06).
    case invoice
    case invoicePreflight = "invoice-preflight"
    /// It, by POST (LUD-26).
    case invoicePost = "invoice-post"
    /// It, with parameters that nobody defines.
    case unknownParameter = "unknown-parameter"
    /// It, with the amount last.
    case parameterOrder = "parameter-order"
    /// An amount that is not a whole sat.
    case amountOdd = "amount-odd"
    /// `minSendable`.
    case amountMinimum = "amount-minimum"
    /// `maxSendable`.
    case amountMaximum = "amount-maximum"
    /// `minSendable` - 1.
    case amountBelowMinimum = "amount-below-minimum"
    /// `maxSendable` + 1.
    case amountAboveMaximum = "amount-above-maximum"
    /// 0.
    case amountZero = "amount-zero"
    case amountNegative = "amount-negative"
    /// `1e3`.
    case amountExponent = "amount-exponent"
    /// `1000.5`.
    case amountFraction = "amount-fraction"
    /// `0x3e8`.
    case amountHexadecimal = "amount-hexadecimal"
    /// `+1000`.
    case amountSign = "amount-sign"
    case amountSpace = "amount-space"
    /// A number above 2^64.
    case amountHuge = "amount-huge"
    /// `amount=`.
    case amountEmpty = "amount-empty"
    case amountMissing = "amount-missing"
    case amountRepeated = "amount-repeated"
    /// `comment=`.
    case commentEmpty = "comment-empty"
    /// A comment of `commentAllowed` letters.
    case commentLongest = "comment-longest"
    /// A comment of `commentAllowed` emoji.
    case commentLongestEmoji = "comment-longest-emoji"
    /// One letter more.
    case commentTooLong = "comment-too-long"
    /// One emoji more.
    case commentTooLongEmoji = "comment-too-long-emoji"
    /// All payer data that is asked for (LUD-18).
    case payerData = "payer-data"
    /// None, although some is mandatory.
    case payerDataMissing = "payer-data-missing"
    /// With the signature of another key.
    case payerDataForged = "payer-data-forged"
    /// A zap request (NIP-57).
    case zap
    case zapForged = "zap-forged"
    case zapOtherAmount = "zap-other-amount"

    // About the invoice.
    /// Whether the invoice is paid (LUD-21).
    case verify
    /// The same, with the hash in capital letters.
    case verifyUpperCase = "verify-upper-case"
    /// About a hash that does not exist.
    case verifyUnknown = "verify-unknown"
    case verifyOtherName = "verify-other-name"
    case verifyMalformed = "verify-malformed"

    // Once more.
    /// The first step once more.
    case infoAgain = "info-again"
    /// The second step once more.
    case invoiceAgain = "invoice-again"
    /// Whether the invoice is paid, once more.
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
