package import ResponderModel
package import EmbeddedNode
package import LightningCoding
package import Platform
package import ResponderCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

package struct CommandFailure: LedgerFaultConvertible, Hashable, Sendable {
    package let status: ExitStatus
    package let reasons: [String]

    package init(_ status: ExitStatus, _ reason: String) {
        self.init(status, [reason])
    }

    package init(_ status: ExitStatus, _ reasons: [String]) {
        self.status = status
        self.reasons = reasons
    }

    package init(_ faults: ConfigurationFaults) {
        status = .configuration
        reasons = faults.faults.map(\.description)
    }

    package var text: String { reasons.map { "error: \($0)\n" }.joined() }

    package var json: JSONValue {
        ["error": ["code": .integer(Int(status.rawValue)), "reasons": .array(reasons.map { .string($0) })]]
    }

    package static let outputFailed = CommandFailure(
        .input, "standard output cannot be written; is the disk full?")

    package init(_ fault: PrivateFileFault, at path: String) {
        let (status, advice): (ExitStatus, String) =
            switch fault {
            case .notFound: (.noInput, "")
            case .exists: (.cannotCreate, "")
            case .openToOthers: (.permission, ": chmod 600 \(path)")
            case .notAFile, .tooLong: (.data, "")
            case .system(EACCES), .system(EPERM): (.permission, "")
            case .system: (.input, "")
            }
        self.init(status, "\(path): \(fault.reason)\(advice)")
    }

    package static func ledger(_ fault: LedgerFault) -> CommandFailure { CommandFailure(fault) }

    package init(_ fault: LedgerFault) {
        let status: ExitStatus =
            switch fault {
            case .busy, .noConnection, .unreachable, .outcomeUnknown, .changedMeanwhile: .unavailable
            // A file that the settings name may be there at the next start, and a pooler set up differently.
            case .full, .readOnly, .storage, .closed, .settings: .input
            case .corrupt, .newerVersion, .olderSchema, .unstorable: .data
            case .mainDomainMoved: .configuration
            case .unknownDomain, .domainExists, .hostOfAccount, .domainInUse, .nameRegistered, .duplicateInvoice,
                .challengeUsed, .unknownOffer, .offerDisabled, .offerExhausted, .requestAnswered,
                .anotherNode, .leaseLost, .tooManyDevices, .secretInUse, .statementReplaced, .otherKeys, .usedByOlder,
                .unfinishedCopy:
                .no
            }
        self.init(status, fault.reason)
    }

    package init(_ fault: DomainFault) {
        switch fault {
        case .ledger(let fault): self.init(fault)
        case .hostTaken, .hostOfAccount: self.init(.no, fault.reason)
        default: self.init(.usage, fault.reason)
        }
    }

    package init(_ fault: AccountFault) {
        switch fault {
        case .ledger(let fault): self.init(fault)
        case .backend(_, let inside) where inside.isTransient: self.init(.unavailable, fault.reason)
        default: self.init(.usage, fault.reason)
        }
    }

    package init(_ refusal: OfferRefusal) {
        let status: ExitStatus =
            switch refusal {
            case .account(.unknownAccount), .backendWithoutBolt12, .nodeAnswersOnlyItsOwn, .otherTerms, .paysAnother,
                .wasDisabled:
                .no
            case .node(_, let fault) where !fault.isTransient: .no
            case .wrongKey: .data
            default: refusal.isTransient ? .unavailable : .usage
            }
        self.init(status, refusal.reason)
    }

    package init(_ fault: EmbeddedFault) {
        switch fault {
        case .mainnetNotAllowed:
            self.init(
                .configuration,
                "embedded.network is bitcoin: the embedded node cannot be paid, so its mainnet invoices mislead payers; "
                    + "set embedded.allow-mainnet if you want that"
            )
        case .databaseMissing(let path): self.init(.data, "\(path): the embedded node's invoices are missing")
        case .ledger(let fault):
            self.init(CommandFailure(fault).status, "the embedded node's database: \(fault.reason)")
        }
    }
}

extension Optional {
    package func found(or reason: String) throws(CommandFailure) -> Wrapped {
        guard let self else { throw CommandFailure(.no, reason) }
        return self
    }
}
