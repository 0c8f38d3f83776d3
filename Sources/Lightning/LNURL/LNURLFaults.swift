public import LightningCoding

/// Why a text is not a Lightning address or local part (LUD-16).
public enum AddressFault: Error, NamedRule, Hashable, Sendable {
    /// A `%` is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8.
    case percentEncoding(CodingFault)
    /// There is no `@`.
    case missingAtSign
    /// There is more than one `@`.
    case severalAtSigns
    /// The part before the `@` or `+` is empty.
    case emptyName
    /// The name has more than 64 characters.
    case nameTooLong
    /// A byte outside `a-z0-9-_.` (after folding upper case); its offset in the name or tag.
    case invalidCharacter(at: Int)
    /// The name is `.` or `..`, which paths would resolve away.
    case dotSegment
    /// The part after the `+` is empty.
    case emptyTag
    /// The tag has more than 64 characters.
    case tagTooLong
    /// The part after the `@` is not `host` or `host:port`.
    case invalidDomain(URLFault)
}

/// Why a metadata string is refused (LUD-06, LUD-16, LUD-20).
public enum MetadataFault: Error, NamedRule, Hashable, Sendable {
    /// It is not JSON.
    case json(JSONFault)
    /// It is not a JSON array.
    case notAnArray
    /// The entry at this index is not an array beginning with a string.
    case malformedEntry(at: Int)
    /// The content of a known entry type is not a string; its type.
    case contentNotText(String)
    /// A type that is allowed once is repeated.
    case repeated(String)
    /// There is no `text/plain`.
    case missingPlainText
    /// There is more than one image, of whatever format.
    case severalImages
    /// An image has more than 136536 characters of base64.
    case imageTooLong
}

/// Why a request for an invoice is refused (LUD-06, LUD-12, LUD-18, LUD-26, NIP-57).
public enum CallbackFault: Error, NamedRule, Hashable, Sendable {
    /// The body of a POST is not a JSON object.
    case bodyNotAnObject
    /// A parameter is repeated; its name.
    case repeated(Parameter)
    /// A parameter in the body of a POST has the wrong type; its name.
    case malformed(Parameter)
    /// A parameter contains U+0000, which not every ledger can store; its name.
    case zero(Parameter)
    /// There is no `amount`.
    case amountMissing
    /// `amount` contains anything but the digits 0 to 9.
    case amountNotDigits
    /// `amount` is 0.
    case amountZero
    /// `amount` is above 2^63-1.
    case amountTooLarge

    /// The defined parameters; all others are ignored.
    public enum Parameter: String, CaseIterable, Hashable, Sendable {
        /// The amount to pay, in msat (LUD-06).
        case amount
        /// The payer's comment (LUD-12).
        case comment
        /// Data about the payer (LUD-18).
        case payerData = "payerdata"
        /// A zap request (NIP-57).
        case nostr
    }
}

/// Why a service's response is refused.
///
/// Parsing is lenient where services differ harmlessly (numbers as strings, missing `routes`, unknown members,
/// `"status":"OK"`), and strict where money is at stake.
public enum LNURLFault: Error, NamedRule, Hashable, Sendable {
    /// The response is not a JSON object.
    case notAnObject
    /// The service returned an error (LUD-01).
    case refused(ErrorResponse)
    /// A member is missing or null.
    case missing(Member)
    /// A member has the wrong type, or cannot be parsed.
    case malformed(Member)
    /// A URL in the response breaks a rule of URLs.
    case url(Member, URLFault)
    /// A URL in the response is plain http, and neither an onion service nor the local machine (LUD-01).
    case clearnetHTTP(Member)
    /// The response belongs to another subprotocol; its tag.
    case wrongTag(String)
    /// `minSendable` is 0 (LUD-06).
    case minimumIsZero
    /// `minSendable` is greater than `maxSendable` (LUD-06).
    case minimumAboveMaximum
    /// The metadata breaks a rule.
    case metadata(MetadataFault)
    /// The success action breaks a rule (LUD-09, LUD-10).
    case successAction(SuccessActionFault)
    /// A preimage for an unsettled invoice (LUD-21), which would be proof of a payment that was not made.
    case preimageBeforeSettlement

    /// The members of responses that have rules.
    public enum Member: String, CaseIterable, Hashable, Sendable {
        /// The URL to request an invoice from (LUD-06).
        case callback
        /// The minimum amount, in msat (LUD-06).
        case minSendable
        /// The maximum amount, in msat (LUD-06).
        case maxSendable
        /// The recipient and purpose (LUD-06).
        case metadata
        /// The longest comment (LUD-12).
        case commentAllowed
        /// The data requested about the payer (LUD-18).
        case payerData
        /// The challenge that the payer signs (LUD-18).
        case k1
        /// The subprotocol (LUD-01).
        case tag
        /// The invoice (LUD-06).
        case pr
        /// The URL that tells whether the invoice is paid (LUD-21).
        case verify
        /// Whether the link should be forgotten after the payment (LUD-11).
        case disposable
        /// Whether the invoice is paid (LUD-21).
        case settled
        /// The proof of payment (LUD-21).
        case preimage
    }
}

/// Why a challenge is refused (LUD-04, LUD-18).
public enum ChallengeFault: Error, Hashable, Sendable {
    /// It is not 32 bytes, or not their 64 hexadecimal digits.
    case malformed
    /// We did not create it, or not for that name.
    case forged
    /// It has expired.
    case expired
    /// It was already used.
    case used
}

/// Why payer data is refused (LUD-18), in the order of the checks.
public enum PayerDataFault: Error, NamedRule, Hashable, Sendable {
    /// It has more than 2048 bytes.
    case tooLong
    /// It is not JSON.
    case json(JSONFault)
    /// It is not a JSON object.
    case notAnObject
    /// A requested field has the wrong type, or cannot be parsed.
    case malformed(PayerDataSpec.Field)
    /// The signature is not valid for that key and challenge (LUD-04).
    case badSignature
    /// A mandatory field is missing, null or empty.
    case missing(PayerDataSpec.Field)
}

/// Why a success action is refused (LUD-09, LUD-10). A wallet must not pay when it does not understand the action.
public enum SuccessActionFault: Error, NamedRule, Hashable, Sendable {
    /// It is not a JSON object.
    case notAnObject
    /// A member is missing or null.
    case missing(Member)
    /// A member has the wrong type, or is not base64.
    case malformed(Member)
    /// An unknown tag; the tag.
    case unknownTag(String)
    /// A text has more than 144 characters.
    case textTooLong
    /// The link breaks a rule of URLs.
    case url(URLFault)
    /// The link is plain http, and neither to an onion service nor to the local machine.
    case clearnetHTTP
    /// The link has another host than the callback.
    case otherHost
    /// The ciphertext has more than 4096 characters of base64.
    case ciphertextTooLong
    /// The ciphertext is not one or more whole blocks of 16 bytes.
    case ciphertextNotWholeBlocks
    /// The initialization vector is not 16 bytes, 24 characters of base64.
    case initializationVector
    /// The cipher library does not provide AES-256-CBC (a restricted configuration).
    case cipherUnavailable
    /// The preimage does not decrypt the ciphertext.
    case wrongPreimage
    /// The decrypted text is not UTF-8.
    case notUTF8

    /// The members of actions.
    public enum Member: String, CaseIterable, Hashable, Sendable {
        /// The kind of action (LUD-09).
        case tag
        /// The text to show (LUD-09).
        case message
        /// The text shown with a URL or secret (LUD-09, LUD-10).
        case description
        /// The URL to open (LUD-09).
        case url
        /// The encrypted secret (LUD-10).
        case ciphertext
        /// The initialization vector, 16 bytes (LUD-10).
        case initializationVector = "iv"
    }
}

/// Why a text names nothing to request, in the order of the checks.
public enum TargetFault: Error, NamedRule, Hashable, Sendable {
    /// There is no text.
    case empty
    /// It is neither an LNURL nor an address, a URL or an invoice.
    case unrecognized
    /// It is not a bech32 text (BIP-173).
    case bech32(CodingFault)
    /// It is bech32, but not an LNURL; the human-readable part found.
    case wrongPrefix(String)
    /// The decoded bech32 text is not UTF-8.
    case notUTF8
    /// The URL breaks a rule of URLs. Inside bech32, the schemes of LUD-17 are not accepted.
    case url(URLFault)
    /// The URL is plain http, and neither an onion service nor the local machine.
    case clearnetHTTP
    /// It has an `@` and no scheme, but is not an address.
    case address(AddressFault)
}

extension LNURLFault: ReadableFault {
    /// What is wrong, worded to follow the document's name: "it is not a JSON object".
    public var reason: String {
        switch self {
        case .notAnObject: "it is not a JSON object"
        case .refused(let error): error.reason
        case .missing(let member): "\"\(member.rawValue)\" is missing"
        case .malformed(let member): "\"\(member.rawValue)\" cannot be read"
        case .url(let member, let fault): "the URL under \"\(member.rawValue)\": \(fault.reason)"
        case .clearnetHTTP(let member):
            "\"\(member.rawValue)\" is plain http, which is for .onion hosts and this machine only (LUD-01)"
        case .wrongTag(let tag): "it is not for paying: its tag is \"\(tag)\""
        case .minimumIsZero: "minSendable is 0 (LUD-06)"
        case .minimumAboveMaximum: "minSendable is greater than maxSendable (LUD-06)"
        case .metadata(let fault): "the metadata: \(fault.reason)"
        case .successAction(let fault): "the success action: \(fault.reason)"
        case .preimageBeforeSettlement: "it shows the preimage of an invoice that is not settled (LUD-21)"
        }
    }
}

extension MetadataFault: ReadableFault {
    /// What is wrong, worded to follow the document's name: "it is not a JSON object".
    public var reason: String {
        switch self {
        case .json: "not JSON"
        case .notAnArray: "not a JSON array"
        case .malformedEntry(let index): "entry \(index) is not an array that begins with a type"
        case .contentNotText(let type): "the content of \(type) is not text"
        case .repeated(let type): "\(type) appears twice"
        case .missingPlainText: "text/plain is missing (LUD-06)"
        case .severalImages: "there is more than one picture"
        case .imageTooLong: "the picture is too large"
        }
    }
}

extension SuccessActionFault: ReadableFault {
    /// What is wrong, worded to follow the document's name: "it is not a JSON object".
    public var reason: String {
        switch self {
        case .notAnObject: "it is not a JSON object"
        case .missing(let member): "\"\(member.rawValue)\" is missing"
        case .malformed(let member): "\"\(member.rawValue)\" cannot be read"
        case .unknownTag(let tag): "nobody knows the tag \"\(tag)\", and what is not understood is not paid (LUD-09)"
        case .textTooLong: "a text has more than 144 characters (LUD-09)"
        case .url(let fault): "its link: \(fault.reason)"
        case .clearnetHTTP: "its link is plain http"
        case .otherHost: "its link points to a different host than the callback (LUD-09)"
        case .ciphertextTooLong: "the ciphertext has more than 4096 characters (LUD-10)"
        case .ciphertextNotWholeBlocks: "the ciphertext is not whole blocks of 16 bytes (LUD-10)"
        case .initializationVector: "the initialization vector is not 24 characters of base64 (LUD-10)"
        case .cipherUnavailable: "AES-256-CBC is disabled on this machine"
        case .wrongPreimage: "the preimage does not decrypt it"
        case .notUTF8: "the decrypted text is not UTF-8"
        }
    }
}

extension AddressFault: ReadableFault {
    /// What is wrong, worded to follow a colon: "it has no name".
    public var reason: String {
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
        case .invalidDomain(let fault): "its domain: \(fault.reason)"
        }
    }
}

extension AddressFault {
    /// The name of the rule in vector files.
    public var rule: String { if case .invalidCharacter = self { "invalid-name-character" } else { caseName } }
}

extension MetadataFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .json: "metadata-not-json"
        case .notAnArray: "metadata-not-an-array"
        case .repeated: "repeated-entry"
        default: caseName
        }
    }
}

extension LNURLFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .refused: "service-error"
        case .missing(let member), .malformed(let member): caseName + "-" + member.rawValue.hyphenated
        case .url(let member, _): "invalid-" + member.rawValue.hyphenated
        case .metadata(let fault): fault.rule
        case .successAction(let fault): fault.rule
        default: caseName
        }
    }
}

extension CallbackFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .repeated(let parameter), .malformed(let parameter), .zero(let parameter):
            caseName + "-" + parameter.rawValue
        default: caseName
        }
    }
}

extension PayerDataFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .json: "not-json"
        case .malformed(let field), .missing(let field): caseName + "-" + field.rawValue
        default: caseName
        }
    }
}

extension SuccessActionFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .notAnObject: "action-not-an-object"
        case .missing(let member), .malformed(let member): caseName + "-" + member.rawValue
        case .unknownTag: "unknown-action"
        case .url: "invalid-link"
        default: caseName
        }
    }
}
