public import LNURL

/// What a wallet does once it has paid, as set by the owner of an account.
public enum AccountSuccessAction: Hashable, Sendable {
    /// Nothing; for wallets that do not handle actions.
    case none
    /// Show a text (LUD-09).
    case message(ActionText)
    /// Offer a link on the host that serves the callback (LUD-09).
    case url(ActionLink)
    /// Reveal a text that is encrypted with the preimage (LUD-10). Only for backends that accept our preimage.
    case secret(String, description: ActionText)

    /// Whether the invoice must be made with a preimage of our choice.
    public var needsPreimage: Bool {
        if case .secret = self { true } else { false }
    }
}
