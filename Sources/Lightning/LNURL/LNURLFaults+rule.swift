public import LightningCoding

extension URLFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .unknownScheme: "unknown-scheme"
        case .userInfo: "user-info"
        case .emptyHost: "empty-host"
        case .invalidHost: "invalid-host"
        case .notASCII: "url-not-ascii"
        case .invalidPort: "invalid-port"
        case .fragment: "fragment"
        case .invalidCharacter: "invalid-url-character"
        case .tooLong: "url-too-long"
        }
    }
}

extension TargetFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .empty: "empty"
        case .unrecognized: "unrecognized"
        case .bech32(let fault): fault.rule
        case .wrongPrefix: "wrong-prefix"
        case .notUTF8: "not-utf8"
        case .url(let fault): fault.rule
        case .clearnetHTTP: "clearnet-http"
        case .address(let fault): fault.rule
        }
    }
}

extension AddressFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .percentEncoding: "percent-encoding"
        case .missingAtSign: "missing-at-sign"
        case .severalAtSigns: "several-at-signs"
        case .emptyName: "empty-name"
        case .nameTooLong: "name-too-long"
        case .invalidCharacter: "invalid-name-character"
        case .dotSegment: "dot-segment"
        case .emptyTag: "empty-tag"
        case .tagTooLong: "tag-too-long"
        case .invalidDomain: "invalid-domain"
        }
    }
}

extension MetadataFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .json: "metadata-not-json"
        case .notAnArray: "metadata-not-an-array"
        case .malformedEntry: "malformed-entry"
        case .contentNotText: "content-not-text"
        case .repeated: "repeated-entry"
        case .missingPlainText: "missing-plain-text"
        case .severalImages: "several-images"
        case .imageTooLong: "image-too-long"
        }
    }
}

extension LNURLFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .notAnObject: "not-an-object"
        case .refused: "service-error"
        case .missing(let member): "missing-" + member.rawValue.hyphenated
        case .malformed(let member): "malformed-" + member.rawValue.hyphenated
        case .url(let member, _): "invalid-" + member.rawValue.hyphenated
        case .clearnetHTTP: "clearnet-http"
        case .wrongTag: "wrong-tag"
        case .minimumIsZero: "minimum-is-zero"
        case .minimumAboveMaximum: "minimum-above-maximum"
        case .metadata(let fault): fault.rule
        case .successAction(let fault): fault.rule
        case .preimageBeforeSettlement: "preimage-before-settlement"
        }
    }
}

extension CallbackFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .bodyNotAnObject: "body-not-an-object"
        case .repeated(let parameter): "repeated-" + parameter.rawValue
        case .malformed(let parameter): "malformed-" + parameter.rawValue
        case .zero(let parameter): "zero-" + parameter.rawValue
        case .amountMissing: "amount-missing"
        case .amountNotDigits: "amount-not-digits"
        case .amountZero: "amount-zero"
        case .amountTooLarge: "amount-too-large"
        }
    }
}

extension PayerDataFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .tooLong: "too-long"
        case .json: "not-json"
        case .notAnObject: "not-an-object"
        case .malformed(let field): "malformed-" + field.rawValue
        case .badSignature: "bad-signature"
        case .missing(let field): "missing-" + field.rawValue
        }
    }
}

extension SuccessActionFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .notAnObject: "action-not-an-object"
        case .missing(let member): "missing-" + member.rawValue
        case .malformed(let member): "malformed-" + member.rawValue
        case .unknownTag: "unknown-action"
        case .textTooLong: "text-too-long"
        case .url: "invalid-link"
        case .clearnetHTTP: "clearnet-http"
        case .otherHost: "other-host"
        case .ciphertextTooLong: "ciphertext-too-long"
        case .ciphertextNotWholeBlocks: "ciphertext-not-whole-blocks"
        case .initializationVector: "initialization-vector"
        case .cipherUnavailable: "cipher-unavailable"
        case .wrongPreimage: "wrong-preimage"
        case .notUTF8: "not-utf8"
        }
    }
}

extension String {
    /// `minSendable` as `min-sendable`.
    fileprivate var hyphenated: String {
        reduce(into: "") { text, character in
            text += character.isUppercase ? "-" + character.lowercased() : String(character)
        }
    }
}
