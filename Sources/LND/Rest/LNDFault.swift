import LightningCoding
import NodeHTTP
import Contracts

/// Why a call has no result.
enum LNDFault: Error, Hashable, Sendable {
    /// The node's own error.
    case refused(GatewayError, by: Permission)
    /// Everything else.
    case backend(BackendFault)
}

/// LND's error as its REST interface writes it: `{"code":2,"message":"…","details":[]}`, the code one of gRPC's.
struct GatewayError: Error, Hashable, Sendable {
    let code: UInt64
    let message: String

    /// gRPC's `UNAVAILABLE`.
    static let unavailable: UInt64 = 14

    init(code: UInt64, message: String) {
        self.code = code
        self.message = message
    }

    /// Reads the object that an error stands in.
    init(_ answer: NodeAnswer) throws(BackendFault) {
        code = try answer.number("code")
        message = BackendFault.words(try answer.text("message"))
    }

    /// Whether the macaroon is good but does not allow the call (the macaroon library's words).
    var isPermissionDenied: Bool { message.contains("permission denied") }

    /// Whether the macaroon is none of this node: its library's words, which call what is no macaroon at all one that cannot be
    /// unmarshalled, and those of `macaroons/service.go`.
    var isOfMacaroon: Bool {
        ["verification failed", "unmarshal v", "macaroon", "encoding/hex"].contains { message.contains($0) }
    }

    /// Whether the node is there but not ready (`rpcperms/interceptor.go`).
    var isNotReady: Bool {
        code == Self.unavailable
            || ["waiting to start", "wallet not created", "wallet locked", "starting up", "server exiting"]
                .contains { message.contains($0) }
    }

    /// Whether the node has no such invoice, or has never made any (`invoices/errors.go`): the code differs, and a call that the node
    /// does not know has that of the former.
    var isUnknownInvoice: Bool {
        ["unable to locate invoice", "there are no existing invoices"].contains { message.contains($0) }
    }

    /// Whether an invoice of that hash is there already (`invoices/errors.go`).
    var isDuplicate: Bool { message.contains("already exists") }
}

extension BackendFault {
    /// The fault of a call as everybody above understands it.
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
