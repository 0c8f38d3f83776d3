public import Receiving

extension AccountFault {
    /// What the operator reads.
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
        case .backend(let name, let fault): "whether \(name) takes our preimage (LUD-10) is not known: \(fault)"
        case .ledger(let fault): fault.reason
        }
    }
}

extension SettingsFault {
    /// What the operator reads.
    public var reason: String {
        switch problem {
        case .notAnObject: key.isEmpty ? "the settings must be a JSON object" : "\(key) must be a JSON object"
        case .unknown: "\(key) is no setting of an account"
        case .missing: "\(key) is missing"
        case .wrongType(let expected): "\(key) must be \(expected)"
        case .outOfRange: "\(key) is out of range"
        case .tooLong(let maximum): "\(key) has more than \(maximum) bytes"
        case .aboveMaximum: "\(key) is above the maximum"
        case .malformed: "\(key) is malformed"
        }
    }
}

extension LedgerFault {
    /// What the operator reads.
    public var reason: String {
        switch self {
        case .busy: "the ledger is locked by another process"
        case .full: "the disk is full"
        case .readOnly: "the ledger cannot be written"
        case .corrupt(let what): "the ledger is damaged: \(what)"
        case .newerVersion(let found, let supported):
            "the ledger was written by a newer version of this software (\(found); this one knows \(supported))"
        case .duplicateInvoice: "that invoice is in the ledger already"
        case .challengeUsed: "that challenge has been used before"
        case .unknownOffer: "no offer of that id is known"
        case .offerDisabled: "that offer has been switched off"
        case .offerExhausted: "that offer has been paid as often as it may be"
        case .requestAnswered: "that request has an invoice already"
        case .anotherNode(let known):
            "the node behind that name is another one than before, which was \(known): give the new one a name of its own"
        case .storage(let what): "the ledger failed: \(what)"
        }
    }
}
