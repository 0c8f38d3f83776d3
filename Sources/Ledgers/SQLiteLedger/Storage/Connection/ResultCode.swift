package import ResponderModel
import CSQLite
import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension LedgerFault {
    /// The meaning of a result code other than `SQLITE_OK`, `SQLITE_ROW` and `SQLITE_DONE`.
    ///
    /// - Parameter handle: the connection that returned the code, for details.
    init(code: Int32, handle: OpaquePointer?) {
        let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED:
            self = .busy
        case SQLITE_FULL:
            self = .full
        case SQLITE_READONLY, SQLITE_PERM:
            self = .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self = .corrupt(message)
        case SQLITE_CONSTRAINT:
            self = .constraint(Self.subject(ofConstraintMessage: message))
        case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(sqlite3_system_errno(handle)):
            self = .full
        case SQLITE_CANTOPEN where [EACCES, EPERM, EROFS].contains(sqlite3_system_errno(handle)):
            self = .readOnly
        default:
            self = .storage("\(message) (\(code))")
        }
    }

    init(_ fault: PrivateFileFault) {
        switch fault {
        case .system(ENOSPC), .system(EDQUOT): self = .full
        case .system(EACCES), .system(EPERM), .system(EROFS): self = .readOnly
        default: self = .storage("\(fault.reason) (\(SQLITE_CANTOPEN))")
        }
    }

    /// - Parameter subject: the columns (`invoice.payment_hash`) or the name of the check.
    package static func constraint(_ subject: String) -> LedgerFault {
        switch subject {
        case "invoice.payment_hash", "node_invoice.payment_hash": .duplicateInvoice
        case "used_challenge.bytes": .challengeUsed
        case "device.secret_hash": .secretInUse
        default: .unstorable("a row would break a rule: \(subject)")
        }
    }

    /// `invoice.label` from "UNIQUE constraint failed: invoice.label".
    private static func subject(ofConstraintMessage message: String) -> String {
        guard let colon = message.firstIndex(of: ":") else { return message }
        return String(message[message.index(after: colon)...].drop { $0 == " " })
    }
}
