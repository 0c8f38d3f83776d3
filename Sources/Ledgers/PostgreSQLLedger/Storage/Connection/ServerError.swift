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

    var fault: StorageFault {
        guard let code else { return .unreachable("the connection was lost") }
        return switch code {
        case "40001", "40P01": .conflict
        case "55P03", "57014", "25P03": .busy
        case "53100": .full
        case "25006": .readOnly
        case "23514" where constraint == nil: .missingPartition
        case "26000", "42P05": .transactionPooling
        case "42P01", "3F000": .missingSchema
        case _ where code.hasPrefix("23"): .constraint(constraint ?? message)
        case "57P01", "57P02", "57P03": .unreachable(message)
        case _ where code.hasPrefix("08"): .unreachable(message)
        default: .server(code: code, message: message)
        }
    }
}

/// Why a batch failed, and what is known of it.
struct BatchFault: Error {
    let fault: StorageFault
    /// Whether it may have been committed all the same.
    let mayBeCommitted: Bool
    /// Whether the connection is of no more use.
    let losesConnection: Bool

    /// The connection was lost, or is too slow.
    static func lost(_ fault: StorageFault, mayBeCommitted: Bool) -> BatchFault {
        BatchFault(fault: fault, mayBeCommitted: mayBeCommitted, losesConnection: true)
    }

    /// What breaks a rule before it is sent.
    static func unsent(_ fault: StorageFault) -> BatchFault {
        BatchFault(fault: fault, mayBeCommitted: false, losesConnection: false)
    }
}
