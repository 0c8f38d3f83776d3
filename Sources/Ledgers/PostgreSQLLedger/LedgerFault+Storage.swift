import ResponderModel

extension LedgerFault {
    init(_ fault: StorageFault) {
        self =
            switch fault {
            case .busy, .conflict: .busy
            case .noConnection(let time): .noConnection(within: time)
            case .full: .full
            case .readOnly: .readOnly
            case .corrupt(let text): .corrupt(text)
            case .outcomeUnknown: .outcomeUnknown
            case .unreachable(let why): .unreachable(why)
            case .leftBehind: .unreachable(fault.reason)
            case .missingSchema: .olderSchema(found: 0, needed: Schema.ledger.migrations.count)
            case .olderSchema(let found, let needed): .olderSchema(found: found, needed: needed)
            case .newerSchema(let found, let supported): .newerVersion(found: found, supported: supported)
            case .constraint("device_secret_hash_key"): .secretInUse
            case .constraint("device_address_digest_key"): .busy
            case .constraint(let name) where name.isOfInvoices: .duplicateInvoice
            // The SQLSTATE class "Data Exception".
            case .server(let code, _) where code.hasPrefix("22"): .unstorable(fault.reason)
            case .server(let code, _): BrokenRule(rawValue: code)?.fault ?? .storage(fault.reason)
            case .constraint, .outOfRange, .nullCharacter: .unstorable(fault.reason)
            case .settings, .missingPartition, .transactionPooling, .closed: .storage(fault.reason)
            }
    }
}

extension BrokenRule {
    var fault: LedgerFault {
        switch self {
        case .leaseLost: .leaseLost
        case .unknownOffer: .unknownOffer
        case .offerDisabled: .offerDisabled
        case .requestAnswered: .requestAnswered
        case .offerExhausted: .offerExhausted
        case .challengeUsed: .challengeUsed
        }
    }
}

extension String {
    /// Whether it is the index of a partition's ids or hashes.
    fileprivate var isOfInvoices: Bool {
        let parts = utf8.split(separator: UInt8(ascii: "_")).map { Substring($0) }
        return parts.count == 3 && parts[0] == "invoice" && ["hash", "pkey"].contains(parts[2])
    }
}
