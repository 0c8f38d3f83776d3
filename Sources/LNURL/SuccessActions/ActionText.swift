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
