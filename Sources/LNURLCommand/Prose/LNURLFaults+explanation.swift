import LNURL
import LightningCoding

// Each explanation follows a colon, so it has no initial capital and no final full stop.

extension LNURLFault {
    var explanation: String { reason }
}

extension SuccessActionFault {
    var explanation: String { reason }
}

extension TargetFault {
    /// A sentence about the user's text.
    func explanation(of text: String) -> String {
        switch self {
        case .empty: "The text is empty."
        case .unrecognised: "This is not an address, an LNURL, a URL or an invoice." + Self.suggestion(for: text)
        case .bech32(let fault): "This LNURL is damaged: \(fault.explanation)."
        case .wrongPrefix(let prefix): "This is bech32, but not an LNURL: it begins with \"\(prefix)\"."
        case .notUTF8: "This LNURL does not contain text."
        case .url(let fault): "\(Self.held(by: text)) is not a usable URL: \(fault.explanation)."
        case .clearnetHTTP:
            "\(Self.held(by: text)) is plain http, which is for .onion hosts and this machine only (LUD-01)."
        case .address(let fault): "This is not a Lightning address: \(fault.explanation)."
        }
    }

    /// What a lone name or host is missing, with a leading space.
    private static func suggestion(for text: String) -> String {
        if text.contains("."), let url = try? HTTPURL("https://" + text) {
            return " Write https://\(text) for the URL, or name@\(url.authority) for an address."
        }
        guard let name = try? LocalPart(text) else { return "" }
        return " If it is a name, add the service's domain: \(name.text)@domain."
    }

    /// Shows the decoded text of bech32.
    private static func held(by text: String) -> String {
        (try? EncodedURL.decodeText(text)).map { "\"\($0)\", which this LNURL contains," } ?? "This"
    }
}

extension AddressFault {
    fileprivate var explanation: String {
        switch self {
        case .percentEncoding: "a % is not followed by two hexadecimal digits"
        case .missingAtSign: "it has no @"
        case .severalAtSigns: "it has more than one @"
        case .emptyName: "it has no name"
        case .nameTooLong: "its name has more than 64 characters"
        case .invalidCharacter(let offset): "character \(offset + 1) of its name is not one of a-z 0-9 - _ . +"
        case .dotSegment: "its name is only dots"
        case .emptyTag: "there is nothing after the +"
        case .tagTooLong: "its tag has more than 64 characters"
        case .invalidDomain(let fault): "its domain: \(fault.explanation)"
        }
    }
}

extension LNURLScheme {
    /// Its purpose.
    var explanation: String {
        switch self {
        case .pay: "to pay (LUD-06)"
        case .withdraw: "to withdraw (LUD-03)"
        case .channel: "to have a channel opened (LUD-02)"
        case .auth: "to log in (LUD-04)"
        }
    }
}
