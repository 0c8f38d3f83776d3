import ResponderModel

extension LedgerFault {
    init(_ fault: StorageFault) {
        self =
            switch fault {
            case .busy: .busy
            case .full: .full
            case .readOnly: .readOnly
            case .corrupt(let text): .corrupt(text)
            case .newerVersion(let found, let supported): .newerVersion(found: found, supported: supported)
            case .constraint("invoice.payment_hash"): .duplicateInvoice
            case .constraint("used_challenge.bytes"): .challengeUsed
            case .constraint("device.secret_hash"): .secretInUse
            case .constraint: .unstorable(fault.reason)
            case .io(let code, let message): .storage("\(message) (\(code))")
            case .withdrawn, .closed: .storage(fault.reason)
            }
    }
}
