public import LightningCoding

/// A wallet's action after a payment (LUD-09, LUD-10).
public enum SuccessAction: Hashable, Sendable {
    /// Show a text.
    case message(ActionText)
    /// Offer a link.
    case url(ActionLink)
    /// Decrypt a text with the preimage, and show it.
    case aes(EncryptedAction)

    /// Checks that a link has the host of the callback, whatever the port (LUD-09).
    public func requireHost(of callback: HTTPURL) throws(SuccessActionFault) {
        guard case .url(let link) = self else { return }
        guard link.url.host == callback.host else { throw .otherHost }
    }

    /// The `successAction` member of the second response.
    public var json: JSONValue {
        switch self {
        case .message(let message):
            ["tag": "message", "message": .string(message.text)]
        case .url(let link):
            ["tag": "url", "description": .string(link.description.text), "url": .string(link.text)]
        case .aes(let action):
            [
                "tag": "aes",
                "description": .string(action.description.text),
                "ciphertext": .string(Base64.encode(action.ciphertext)),
                "iv": .string(Base64.encode(action.initializationVector)),
            ]
        }
    }

    /// Parses the `successAction` member of the second response.
    public init(json: JSONValue) throws(SuccessActionFault) {
        guard json.object != nil else { throw .notAnObject }
        let tag = try json.text(.tag)
        switch ExactText(tag) {
        case "message":
            self = .message(try ActionText(json.text(.message)))
        case "url":
            self = .url(try ActionLink(description: ActionText(json.text(.description)), text: json.text(.url)))
        case "aes":
            self = .aes(try EncryptedAction(json: json))
        default:
            throw .unknownTag(tag)
        }
    }
}

extension EncryptedAction {
    fileprivate init(json: JSONValue) throws(SuccessActionFault) {
        let ciphertext = try json.text(.ciphertext)
        guard ciphertext.utf8.count <= Self.maximumCiphertextCount else { throw .ciphertextTooLong }
        let initializationVector = try json.text(.initializationVector)
        guard initializationVector.utf8.count == 24 else { throw .initializationVector }
        try self.init(
            description: ActionText(json.text(.description)),
            ciphertext: Self.decode(ciphertext, .ciphertext),
            initializationVector: Self.decode(initializationVector, .initializationVector)
        )
    }

    private static func decode(
        _ text: String,
        _ member: SuccessActionFault.Member
    ) throws(SuccessActionFault) -> [UInt8] {
        try rethrowing(Base64.decode(text), as: SuccessActionFault.malformed(member))
    }
}

extension JSONValue {
    fileprivate func text(_ member: SuccessActionFault.Member) throws(SuccessActionFault) -> String {
        guard let value = self[member.rawValue], !value.isNull else { throw .missing(member) }
        guard let text = value.string else { throw .malformed(member) }
        return text
    }
}

/// A link that a wallet offers after the payment (LUD-09).
public struct ActionLink: Hashable, Sendable {
    /// Its description, for people.
    public let description: ActionText
    /// The link as written. Unlike other URLs here it may have a fragment, since a browser opens it.
    public let text: String
    /// The link without its fragment.
    public let url: HTTPURL

    /// Creates a link.
    public init(description: ActionText, text: String) throws(SuccessActionFault) {
        url = try rethrowing(HTTPURL(text.prefix { $0 != "#" }), as: SuccessActionFault.url)
        guard URLPolicy.allows(url) else { throw .clearnetHTTP }
        self.description = description
        self.text = text
    }
}

/// A text that a wallet shows after the payment: at most 144 characters (LUD-09), counted like those of a comment.
public struct ActionText: Hashable, Sendable {
    /// The text.
    public let text: String

    /// The most characters.
    public static let maximumCount = 144

    /// Creates a text.
    public init(_ text: String) throws(SuccessActionFault) {
        guard Comment.fits(text, allowed: Self.maximumCount) else { throw .textTooLong }
        self.text = text
    }
}
