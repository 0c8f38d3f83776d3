import LNURL
import Contracts

extension AccountFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .settings(let fault): fault.reason
        case .description: "description must have 1 to \(AccountEditor.maximumText) bytes; every wallet shows it"
        case .unknownBackend(let name, let configured):
            "no backend is called \(name); configured are: "
                + configured.map(\.description).joined(separator: ", ")
        case .backendNotAllowed(let name, let domain, let allowed):
            "accounts of \(domain) may not use \(name); allowed are: "
                + allowed.map(\.description).joined(separator: ", ")
        case .reserved(let account): "\(account.name) is a reserved name of \(account.domain)"
        case .notALabel(let name):
            "\(name) cannot be a host name: in this domain a name has 1 to 63 characters of a-z 0-9 - _ and no dot"
        case .linkToOtherHost: "successAction.url must be on the host of the account's address (LUD-09)"
        case .preimageNotAccepted(let name):
            "successAction.secret needs a backend that accepts our preimage, which \(name) does not (LUD-10)"
        case .backend(let name, let fault):
            "it is unknown whether \(name) accepts our preimage (LUD-10): \(fault.reason)"
        case .ledger(let fault): fault.reason
        }
    }
}
