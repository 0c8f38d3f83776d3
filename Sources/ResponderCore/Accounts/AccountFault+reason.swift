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
        case .linkToOtherHost: "successAction.url must be on the host of the account's address (LUD-09)"
        case .preimageNotAccepted(let name):
            "successAction.secret needs a backend that accepts our preimage, which \(name) does not (LUD-10)"
        case .backend(let name, let fault):
            "it is unknown whether \(name) accepts our preimage (LUD-10): \(fault.reason)"
        case .ledger(let fault): fault.reason
        }
    }
}
