import LedgerRecords
import ResponderModel
import CPostgreSQL

/// An error that the server, or libpq in its place, gave as the result of a statement.
struct ServerError {
    /// SQLSTATE; nil when libpq reports a lost connection.
    let code: String?
    let message: String
    private let constraint: String?
    private let endsSession: Bool

    init(_ result: OpaquePointer) {
        func field(_ name: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(name.value)).map { String(cString: $0) }
        }
        code = field("C")
        message = field("M") ?? "no message"
        constraint = field("n")
        endsSession = ["FATAL", "PANIC"].contains(field("V"))
    }

    /// Whether the session can no longer be used: it ended, or its server became one that follows another.
    var losesConnection: Bool {
        guard let code else { return true }
        return endsSession || code.hasPrefix("08") || ["25006", "57P01", "57P02", "57P03", "0A000"].contains(code)
    }

    /// Whether it may come between a commit and the word of it.
    var mayFollowCommit: Bool { code == nil || endsSession }

    var fault: LedgerFault {
        guard let code else { return .unreachable("the connection was lost") }
        return switch code {
        case "40001", "40P01", "55P03", "57014", "25P03": .busy
        case "53100": .full
        case "25006": .readOnly
        case "23514" where constraint == nil: .missingPartition
        case "26000", "42P05": .transactionPooling
        case "42P01", "3F000": .olderSchema(found: 0, needed: Schema.ledger.migrations.count)
        case _ where code.hasPrefix("23"): .constraint(constraint ?? message)
        case "57P01", "57P02", "57P03": .unreachable(message)
        case _ where code.hasPrefix("08"): .unreachable(message)
        // Data Exception.
        case _ where code.hasPrefix("22"): .unstorable("\(message) (\(code))")
        default: BrokenRule(rawValue: code)?.fault ?? .storage("\(message) (\(code))")
        }
    }

    var remedy: BatchFault.Remedy? {
        switch code {
        case "40001", "40P01": .repetition
        case "0A000": .preparation
        default: nil
        }
    }
}

extension LedgerFault {
    static let missingPartition = LedgerFault.storage("no partition takes the row")
    static let transactionPooling = LedgerFault.settings(
        "a connection pooler hands each transaction to another session; connect directly, or set its pool mode to session"
    )

    fileprivate static func constraint(_ name: String) -> LedgerFault {
        switch name {
        case "device_secret_hash_key": .secretInUse
        case "device_address_digest_key": .busy
        case _ where name.isOfInvoices: .duplicateInvoice
        default: .unstorable("a row would break a rule: \(name)")
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

/// Why a batch failed, and what is known of it.
struct BatchFault: Error {
    let fault: LedgerFault
    /// Whether it may have been committed all the same.
    var mayBeCommitted: Bool
    /// Whether the connection is of no more use.
    let losesConnection: Bool
    /// What may help at once.
    var remedy: Remedy?

    enum Remedy {
        /// Others have changed the same rows at the same moment.
        case repetition
        /// The tables have changed since the statement was prepared.
        case preparation
    }

    /// The connection was lost, or is too slow.
    static func lost(_ fault: LedgerFault, mayBeCommitted: Bool, remedy: Remedy? = nil) -> BatchFault {
        BatchFault(fault: fault, mayBeCommitted: mayBeCommitted, losesConnection: true, remedy: remedy)
    }

    /// What breaks a rule before it is sent.
    static func unsent(_ fault: LedgerFault) -> BatchFault {
        BatchFault(fault: fault, mayBeCommitted: false, losesConnection: false)
    }
}

extension BatchFault {
    init(_ error: ServerError, mayBeCommitted: Bool) {
        self.init(
            fault: error.fault, mayBeCommitted: mayBeCommitted, losesConnection: error.losesConnection,
            remedy: error.remedy)
    }
}

extension Result where Failure == BatchFault {
    var losesConnection: Bool {
        if case .failure(let fault) = self { fault.losesConnection } else { false }
    }
}
