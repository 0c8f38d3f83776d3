import LNURL
import LightningCoding

// Each explanation ends a sentence after a colon, so that none begins with a capital or ends with a stop.

extension LNURLFault {
    var explanation: String {
        switch self {
        case .notAnObject: "it is no JSON object"
        case .refused(let error): error.reason
        case .missing(let member): "\"\(member.rawValue)\" is missing"
        case .malformed(let member): "\"\(member.rawValue)\" cannot be read"
        case .url(let member, let fault): "the URL under \"\(member.rawValue)\": \(fault.explanation)"
        case .clearnetHTTP(let member):
            "\"\(member.rawValue)\" is plain http, which is for .onion hosts and this machine only (LUD-01)"
        case .wrongTag(let tag): "it is for something else than paying, its tag is \"\(tag)\""
        case .minimumIsZero: "minSendable is 0 (LUD-06)"
        case .minimumAboveMaximum: "minSendable is greater than maxSendable (LUD-06)"
        case .metadata(let fault): "the metadata: \(fault.explanation)"
        case .successAction(let fault): "the success action: \(fault.explanation)"
        case .preimageBeforeSettlement: "it shows the preimage of an invoice that is not settled (LUD-21)"
        }
    }
}

extension MetadataFault {
    fileprivate var explanation: String {
        switch self {
        case .json: "they are no JSON text"
        case .notAnArray: "they are no JSON array"
        case .malformedEntry(let index): "entry \(index) is no array that begins with a type"
        case .contentNotText(let type): "the content of \(type) is no text"
        case .repeated(let type): "\(type) stands there twice"
        case .missingPlainText: "text/plain is missing (LUD-06)"
        case .severalImages: "there is more than one picture"
        case .imageTooLong: "the picture is too large"
        }
    }
}

extension SuccessActionFault {
    var explanation: String {
        switch self {
        case .notAnObject: "it is no JSON object"
        case .missing(let member): "\"\(member.rawValue)\" is missing"
        case .malformed(let member): "\"\(member.rawValue)\" cannot be read"
        case .unknownTag(let tag): "nobody knows the tag \"\(tag)\", and what is not understood is not paid (LUD-09)"
        case .textTooLong: "a text has more than 144 characters (LUD-09)"
        case .url(let fault): "its link: \(fault.explanation)"
        case .clearnetHTTP: "its link is plain http"
        case .otherHost: "its link leads to another host than the callback's (LUD-09)"
        case .ciphertextTooLong: "the ciphertext has more than 4096 characters (LUD-10)"
        case .ciphertextNotWholeBlocks: "the ciphertext is not whole blocks of 16 bytes (LUD-10)"
        case .initialisationVector: "the initialisation vector is not 24 characters of base64 (LUD-10)"
        case .cipherUnavailable: "AES-256-CBC is switched off on this machine"
        case .wrongPreimage: "the preimage does not open it"
        case .notUTF8: "what the preimage opens is not UTF-8"
        }
    }
}

extension TargetFault {
    /// A sentence about the text that the user gave.
    func explanation(of text: String) -> String {
        switch self {
        case .empty: "There is no text."
        case .unrecognised: "This is not an address, an LNURL, a URL or an invoice." + Self.suggestion(for: text)
        case .bech32(let fault): "This LNURL is damaged: \(fault.explanation)."
        case .wrongPrefix(let prefix): "This is bech32, but of something else: it begins with \"\(prefix)\"."
        case .notUTF8: "What this LNURL holds is no text."
        case .url(let fault): "\(Self.held(by: text)) is no usable URL: \(fault.explanation)."
        case .clearnetHTTP:
            "\(Self.held(by: text)) is plain http, which is for .onion hosts and this machine only (LUD-01)."
        case .address(let fault): "This is no Lightning address: \(fault.explanation)."
        }
    }

    /// What a name or a host alone lacks, with a space before it.
    private static func suggestion(for text: String) -> String {
        if text.contains("."), let url = try? HTTPURL("https://" + text) {
            return " Write https://\(text) for the URL, or name@\(url.authority) for an address."
        }
        guard let name = try? LocalPart(text) else { return "" }
        return " If it is a name, add the service's domain: \(name.text)@domain."
    }

    /// What bech32 hides is worth seeing.
    private static func held(by text: String) -> String {
        (try? EncodedURL.decodeText(text)).map { "\"\($0)\", which this LNURL holds," } ?? "This"
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
        case .invalidCharacter(let offset): "character \(offset + 1) of its name is none of a-z 0-9 - _ . +"
        case .dotSegment: "its name is only dots"
        case .emptyTag: "nothing stands behind the +"
        case .tagTooLong: "its tag has more than 64 characters"
        case .invalidDomain(let fault): "its domain: \(fault.explanation)"
        }
    }
}

extension LNURLScheme {
    /// What it is for.
    var explanation: String {
        switch self {
        case .pay: "to pay (LUD-06)"
        case .withdraw: "to withdraw (LUD-03)"
        case .channel: "to have a channel opened (LUD-02)"
        case .auth: "to log in (LUD-04)"
        }
    }
}
