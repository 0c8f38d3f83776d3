package import LightningCoding
package import ResponderModel

/// Why a device is refused what it asks for.
package enum MessageCenterRefusal: LedgerFaultConvertible, Hashable, Sendable {
    /// It shows no secret, or one that is not known.
    case unauthorized
    /// The body is too large, or did not arrive.
    case body
    /// The body is not JSON.
    case json(JSONFault)
    /// The registration is malformed, or not signed by the owner.
    case statement(DeviceStatementFault)
    /// Something else that it sends is malformed.
    case request(DeviceMemberFault)
    /// The handle is unknown or revoked.
    case gone
    /// The owner has as many devices as one may have.
    case tooManyDevices
    /// As many wakes of the device are in the outbox as may be.
    case tooManyWakes
    /// Another device has the same secret.
    case secretInUse
    /// The installation has signed something newer.
    case statementReplaced
    /// Too many requests; a retry after that many seconds may help.
    case tooOften(retryAfter: UInt64)
    /// The ledger failed.
    case ledger(LedgerFault)

    init(_ fault: LedgerFault) {
        self =
            switch fault {
            case .tooManyDevices: .tooManyDevices
            case .secretInUse: .secretInUse
            case .statementReplaced: .statementReplaced
            default: .ledger(fault)
            }
    }

    /// The word for programs.
    package var code: String {
        switch self {
        case .unauthorized: "unauthorized"
        case .body, .json, .request, .statement(.member): "invalid_request"
        case .statement(.time), .statementReplaced: "invalid_time"
        case .statement(.signature): "invalid_signature"
        case .gone: "gone"
        case .tooManyDevices: "too_many_devices"
        case .tooManyWakes: "too_many_wakes"
        case .tooOften: "too_many_requests"
        case .secretInUse: "secret_in_use"
        case .ledger: "unavailable"
        }
    }
}

extension MessageCenterRefusal: ReadableFault {
    /// The text for the developer of an app; it says nothing of the ledger.
    package var reason: String {
        switch self {
        case .unauthorized: "authentication required: Authorization: Bearer wkd_…"
        case .body: "the body is too large or incomplete"
        case .json(let fault): "the body is not JSON: \(fault.reason)"
        case .statement(let fault): fault.reason
        case .request(let fault): fault.reason
        case .gone: "unknown or revoked device handle"
        case .tooManyWakes: "the device has as many wakes as it may have before their deadlines"
        case .tooManyDevices, .secretInUse:
            (self == .tooManyDevices ? LedgerFault.tooManyDevices : .secretInUse).reason
        case .statementReplaced: LedgerFault.statementReplaced.reason
        case .tooOften: "too many requests"
        case .ledger: "the service cannot answer now"
        }
    }
}

/// Which member of what an app sends is wrong.
package struct DeviceMemberFault: JSONMemberFault, ReadableFault, Hashable {
    /// Its path; empty for the document.
    package let member: String
    /// What is wrong with it.
    package let problem: JSONMemberProblem

    /// The fault of the member at that path.
    package init(member path: String, _ problem: JSONMemberProblem) {
        member = path
        self.problem = problem
    }

    /// The text for the developer of an app.
    package var reason: String {
        let name = member.isEmpty ? "the body" : member
        return switch problem {
        case .missing: "\(name) is missing"
        case .malformed: "\(name) is malformed"
        case .notText, .notAFlag, .notWholeNumber, .notAnObject, .notAnArray:
            "\(name) must be \(problem.expected ?? "something else")"
        }
    }
}
