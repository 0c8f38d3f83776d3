public import Contracts
public import LNURL

/// Why an account cannot be set up this way.
public enum AccountFault: Error, Hashable, Sendable {
    /// A setting breaks a rule.
    case settings(SettingsFault)
    /// The description, which every wallet shows, is empty or longer than `AccountEditor.maximumText` bytes.
    case description
    /// No backend has that name; the configured ones are listed.
    case unknownBackend(BackendName, configured: [BackendName])
    /// Accounts of the domain may use only the listed backends.
    case backendNotAllowed(BackendName, in: DomainName, allowed: [BackendName])
    /// The name is reserved in its domain.
    case reserved(AccountID)
    /// In a wildcard domain a name is a label of a host name, which this one cannot be.
    case notALabel(AddressName)
    /// The link shown after the payment is not on the host of the account's address (LUD-09).
    case linkToOtherHost
    /// A secret for payers needs a backend that accepts our preimage (LUD-10).
    case preimageNotAccepted(BackendName)
    /// The node did not say whether it accepts our preimage.
    case backend(BackendName, BackendFault)
    /// The ledger failed.
    case ledger(LedgerFault)
}
