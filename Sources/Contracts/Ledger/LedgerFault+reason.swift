public import LightningCoding

extension LedgerFault: ReadableFault {
    /// The text for the operator.
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
