public import LightningCoding

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
