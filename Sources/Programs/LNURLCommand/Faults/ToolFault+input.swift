import Bolt11
import Bolt12
import Devices
import LNURL
import LightningCoding
import QRCodes

// MARK: - Arguments

extension ToolFault {
    static func commandLine(_ reason: String) -> Self { Self("command-line", .usage, reason) }
    static func target(_ fault: TargetFault, _ text: String) -> Self {
        Self("target", .badInput, fault.reason(of: text))
    }
    static let notAskable = Self(
        "not-askable", .badInput, "This is an invoice: there is no service to ask. Try lnurl decode-invoice.")
    static func notForPaying(_ purpose: LNURLScheme) -> Self {
        Self("not-for-paying", .badInput, "This is not for paying, but \(purpose.words).")
    }
    static func amount(_ fault: AmountFault, _ text: String) -> Self { Self("amount", .usage, fault.reason(of: text)) }
    static func amountOutOfRange(minimum: Millisatoshi, maximum: Millisatoshi) -> Self {
        Self("amount-out-of-range", .badInput, "The service accepts \(minimum.formatted) to \(maximum.formatted).")
    }
    static func commentTooLong(allowed: Int) -> Self {
        let comment = allowed == 0 ? "no comment" : "a comment of at most \(allowed) characters"
        return Self("comment-too-long", .badInput, "The service accepts \(comment).")
    }
    static let payerDataNotAsked = Self(
        "payer-data-not-asked", .badInput, "The service does not ask for all of this payer data, so nothing was sent.")
    static func missingPayerData(_ names: [String]) -> Self {
        let list = names.joined(separator: ", ")
        return Self("missing-payer-data", .badInput, "The service requires more payer data: \(list).")
    }
    static let publicKey = Self(
        "public-key", .badInput, "--pubkey takes a compressed public key: 66 hexadecimal digits.")
    static let authKey = Self(
        "auth-key", .badInput, "The file of --auth-key-file must hold a secret key: 64 hexadecimal digits.")
    static let preimage = Self("preimage", .badInput, "A preimage has 64 hexadecimal digits.")
    static let preimageNeeded = Self(
        "preimage-needed", .badInput, "The text is encrypted: give the payment's preimage with --preimage-file.")
    static let otherPreimage = Self(
        "other-preimage", .badInput,
        "This is the preimage of another payment: its SHA-256 is not the invoice's payment hash.")
    static let answerText = Self(
        "answer-text", .badInput,
        "This is not the JSON answer of a service, as lnurl request --json prints it, with what is needed here.")
    static let signingKey = Self("signing-key", .badInput, "The file of --signing-key-file must hold a secret.")
    static func invoice(_ fault: Bolt11Fault) -> Self {
        Self("invoice", .badInput, "This is not a valid BOLT11 invoice: \(fault.reason).")
    }
    static func url(_ fault: URLFault) -> Self { Self("url", .badInput, "This is not a usable URL: \(fault.reason).") }
    static let clearnetHTTP = Self(
        "clearnet-http", .badInput, "Plain http is for .onion hosts and this machine only (LUD-01).")
    static let noScheme = Self("no-scheme", .badInput, "LUD-17 cannot express this.")
    static let noSymbol = Self("qr", .badInput, "This text does not fit into a QR code.")
}

// MARK: - BOLT12

extension ToolFault {
    static let bolt12Text = Self(
        "bolt12-text", .badInput, "This is a text of BOLT12: try lnurl decode, or lnurl invoice-request.")
    static func otherDocument(expected: [Bolt12Text.Kind]) -> Self {
        Self("other-document", .badInput, "This takes \(expected.map(\.words).joined(separator: " or ")).")
    }
    static func offer(_ fault: OfferFault) -> Self {
        Self("offer", .badInput, "This is not a valid BOLT12 offer: \(fault.reason).", rule: fault.rule)
    }
    static func invoiceRequest(_ fault: InvoiceRequestFault) -> Self {
        let reason = "This is not a valid BOLT12 invoice request: \(fault.reason)."
        return Self("invoice-request", .badInput, reason, rule: fault.rule)
    }
    static func bolt12Invoice(_ fault: InvoiceFault) -> Self {
        Self("invoice", .badInput, "This is not a valid BOLT12 invoice: \(fault.reason).", rule: fault.rule)
    }
    static func terms(_ fault: InvoiceRequestFault) -> Self {
        Self("terms", .badInput, "The offer does not accept such a request: \(fault.reason).", rule: fault.rule)
    }
    static let answersNoOffer = Self(
        "answers-no-offer", .badInput, "This invoice request is not for an offer, so there is no webhook for it.")
    static let requestIsSigned = Self(
        "request-is-signed", .usage, "This invoice request is signed already: --amount, --note … are for an offer.")
    static let keyFileNeeded = Self(
        "key-file-needed", .usage, "A request for an offer is signed with the key in --key-file, made when missing.")
    static let payerKey = Self(
        "payer-key", .badInput, "The file of --key-file must hold a secret key: 64 hexadecimal digits.")
}

// MARK: - Push messages

extension ToolFault {
    static func wake(_ fault: WakeFault) -> Self {
        Self("wake", .badInput, "This cannot be read as a device would: \(fault.reason).")
    }
    static let install = Self(
        "install", .usage, "--install takes 1 to 64 letters, digits, hyphens and underscores.")
    static let acknowledgement = Self(
        "acknowledgement", .usage, "This takes the id of a wake, and --outcome handled, no_handler or failed.")
    static let deviceSecret = Self(
        "device-secret", .badInput,
        "The file of --secret-file must hold the secret of a device: wkd_ and 43 characters.")
    static func statement(_ fault: DeviceStatementFault) -> Self {
        Self("statement", .badInput, "This cannot be registered: \(fault.reason).")
    }
}

// MARK: - Files

extension ToolFault {
    static func unreadable(_ path: String) -> Self {
        Self("unreadable", .unreadableFile, "\(name(of: path)) cannot be read.")
    }
    static func notText(_ path: String) -> Self { Self("not-text", .badInput, "\(name(of: path)) is not UTF-8 text.") }
    static func tooLongInput(_ path: String) -> Self {
        Self("too-long-input", .badInput, "\(name(of: path)) is longer than 4 MiB.")
    }
    static func openToOthers(_ path: String) -> Self {
        Self("open-to-others", .unreadableFile, "\(path) is accessible to others; run chmod 600.")
    }
    static let noRandomness = Self("no-randomness", .unreadableFile, "The system has no random numbers.")
    static let interrupted = Self("interrupted", .noAnswer, "The examination was interrupted.")
    static func unwritable(_ path: String) -> Self { Self("unwritable", .unwritableFile, "\(path) cannot be written.") }
    static let outputFailed = Self(
        "output-failed", .failedOutput, "Standard output cannot be written. Is the disk full?")
    static let binaryToTerminal = Self(
        "binary-to-terminal", .unwritableFile, "A PNG image cannot be shown in a terminal; use --output.")
    static func knownFailures(_ path: String) -> Self {
        Self("known-failures", .unreadableFile, "\(path) is not a readable list of known failures.")
    }
    static func vectors(_ fault: VectorFault) -> Self {
        switch fault {
        case .silentProgram:
            Self("silent-implementation", .noAnswer, "The implementation does not run: \(fault.reason).")
        case .unusable: Self("vectors", .unreadableFile, "The vectors cannot be used: \(fault.reason).")
        }
    }

    private static func name(of path: String) -> String { path == "-" ? "Standard input" : path }
}
