public import Contracts

/// Why an account cannot be set up so.
public enum AccountFault: Error, Hashable, Sendable {
    /// A setting breaks a rule.
    case settings(SettingsFault)
    /// The description, which every wallet shows, is empty or has more bytes than `AccountEditor.maximumText`.
    case description
    /// No backend has that name; those that there are, by name.
    case unknownBackend(BackendName, configured: [BackendName])
    /// The link after the payment does not lead to the host of the public URL (LUD-09).
    case linkToOtherHost
    /// A secret for payers needs a backend that takes our preimage (LUD-10).
    case preimageNotAccepted(BackendName)
    /// The node that must be asked whether it takes our preimage did not say.
    case backend(BackendName, BackendFault)
    /// The ledger failed.
    case ledger(LedgerFault)
}
