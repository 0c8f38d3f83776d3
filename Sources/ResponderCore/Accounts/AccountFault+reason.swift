import Contracts

extension AccountFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .settings(let fault): fault.reason
        case .description: "description must have 1 to \(AccountEditor.maximumText) bytes; every wallet shows it"
        case .unknownBackend(let name, let configured):
            "no backend is called \(name); give the account one of those that are configured: "
                + configured.map(\.description).joined(separator: ", ")
        case .linkToOtherHost: "successAction.url must lead to the host of the public URL (LUD-09)"
        case .preimageNotAccepted(let name):
            "successAction.secret needs a backend that takes our preimage, which \(name) does not (LUD-10)"
        case .backend(let name, let fault): "whether \(name) takes our preimage (LUD-10) is not known: \(fault.reason)"
        case .ledger(let fault): fault.reason
        }
    }
}
