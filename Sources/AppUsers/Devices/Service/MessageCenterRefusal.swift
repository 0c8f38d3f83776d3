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
    case request(DeviceMemberFault)
    /// The handle is unknown or revoked.
    case gone
    case tooManyDevices
    case tooManyWakes
    /// Another device has the same secret.
    case secretInUse
    case statementReplaced
    /// Too many requests; a retry after that many seconds may help.
    case tooOften(retryAfter: UInt64)
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
        case .tooManyWakes: "too many wakes of the device are pending"
        case .tooManyDevices, .secretInUse:
            (self == .tooManyDevices ? LedgerFault.tooManyDevices : .secretInUse).reason
        case .statementReplaced: LedgerFault.statementReplaced.reason
        case .tooOften: "too many requests"
        case .ledger: "the service cannot answer now"
        }
    }
}

package struct DeviceMemberFault: JSONMemberFault, ReadableFault, Hashable {
    /// Its path; empty for the document.
    package let member: String
    package let problem: JSONMemberProblem

    package init(member path: String, _ problem: JSONMemberProblem) {
        member = path
        self.problem = problem
    }

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
