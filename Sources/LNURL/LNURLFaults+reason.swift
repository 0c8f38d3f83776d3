public import LightningCoding

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
        case .initialisationVector: "the initialisation vector is not 24 characters of base64 (LUD-10)"
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
