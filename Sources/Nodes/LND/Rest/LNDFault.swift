import LightningCoding
import ResponderModel

/// Why a call has no result.
enum LNDFault: Error, Hashable, Sendable {
    case refused(GatewayError, by: Permission)
    case backend(BackendFault)
}

/// LND's error in its REST interface: `{"code":2,"message":"…","details":[]}`, with a gRPC code.
struct GatewayError: Error, Hashable, Sendable {
    let code: UInt64
    let message: String

    /// Whether the message is longer than gRPC allows: `RESOURCE_EXHAUSTED`.
    var isTooLong: Bool { code == 8 }

    /// gRPC's `UNAVAILABLE`.
    static let unavailable: UInt64 = 14

    init(_ answer: NodeAnswer) throws(BackendFault) {
        code = try answer.lenientNumber("code")
        message = BackendFault.words(try answer.text("message"))
    }

    /// Whether the macaroon is valid but does not allow the call (the macaroon library's wording).
    var isPermissionDenied: Bool { message.contains("permission denied") }

    /// Whether the macaroon is invalid at this node: the wording of its library, which says of anything else that it
    /// cannot be unmarshalled, and that of `macaroons/service.go`.
    var isOfMacaroon: Bool {
        ["verification failed", "unmarshal v", "macaroon", "encoding/hex"].contains { message.contains($0) }
    }

    /// Whether the node is running but not ready (`rpcperms/interceptor.go`).
    var isNotReady: Bool {
        code == Self.unavailable
            || ["waiting to start", "wallet not created", "wallet locked", "starting up", "server exiting"]
                .contains { message.contains($0) }
    }

    /// Whether the node has no such invoice, or has never made any (`invoices/errors.go`): the codes differ, and the
    /// former's is also that of an unknown call.
    var isUnknownInvoice: Bool {
        ["unable to locate invoice", "there are no existing invoices"].contains { message.contains($0) }
    }

    /// Whether an invoice with that hash exists already (`invoices/errors.go`).
    var isDuplicate: Bool { message.contains("already exists") }
}

extension BackendFault {
    init(_ fault: LNDFault) {
        switch fault {
        case .backend(let fault): self = fault
        case .refused(let error, _) where error.isNotReady: self = .unreachable(error.message)
        case .refused(let error, by: let permission) where error.isPermissionDenied:
            self = .refused("permission denied: the macaroon lacks \(permission.rawValue)")
        case .refused(let error, _) where error.isOfMacaroon:
            self = .refused("the macaroon is not accepted: \(error.message)")
        case .refused(let error, _) where error.isDuplicate: self = .duplicate
        case .refused(let error, _): self = .refused("\(error.code): \(error.message)")
        }
    }
}
