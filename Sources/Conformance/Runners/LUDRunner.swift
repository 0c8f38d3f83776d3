import LNURL

/// A runner of the LUDs: each of their faults has one name, whatever the operation.
protocol LUDRunner: VectorRunner {}

extension LUDRunner {
    func rule(of fault: any Error) -> String? {
        switch fault {
        case let fault as TargetFault: fault.rule
        case let fault as AddressFault: fault.rule
        case let fault as MetadataFault: fault.rule
        case let fault as LNURLFault: fault.rule
        case let fault as CallbackFault: fault.rule
        case let fault as PayerDataFault: fault.rule
        case let fault as SuccessActionFault: fault.rule
        default: nil
        }
    }
}
