public import LNURL

/// What a wallet is told to do once it has paid, as the owner of an account sets it.
public enum AccountSuccessAction: Hashable, Sendable {
    /// Nothing; wallets that stumble over actions are served too.
    case none
    /// Show a text (LUD-09).
    case message(ActionText)
    /// Offer a link, on the host that serves the callback (LUD-09).
    case url(ActionLink)
    /// Reveal a text that only the preimage opens (LUD-10). Only on backends that take a preimage from us.
    case secret(String, description: ActionText)

    /// Whether the invoice must be made with a preimage of ours.
    public var needsPreimage: Bool {
        if case .secret = self { true } else { false }
    }
}
