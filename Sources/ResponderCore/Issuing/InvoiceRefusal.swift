import LNURL
import Contracts

/// Why something is not answered, in whatever dialect: it may be that ledger or node do not answer themselves.
protocol UnansweredReason: Error {
    /// It cannot be answered now, because of that.
    static func unavailable(_ cause: Refusal.Cause) -> Self
}

extension UnansweredReason {
    /// Asks the ledger, whose fault becomes the reason.
    static func asking<Value>(
        _ answer: @autoclosure () async throws(LedgerFault) -> Value
    ) async throws(Self) -> Value {
        do {
            return try await answer()
        } catch {
            throw .unavailable(.ledger(error))
        }
    }

    /// Asks a backend, whose fault becomes the reason.
    static func asking<Value>(
        _ name: BackendName, _ answer: @autoclosure () async throws(BackendFault) -> Value
    ) async throws(Self) -> Value {
        do {
            return try await answer()
        } catch {
            throw .unavailable(.backend(name, error))
        }
    }

    /// Resolves something, whose cause of failure becomes the reason.
    static func resolving<Value>(
        _ answer: @autoclosure () async throws(Refusal.Cause) -> Value
    ) async throws(Self) -> Value {
        do {
            return try await answer()
        } catch {
            throw .unavailable(error)
        }
    }
}

/// Why no invoice is issued, in the dialect in which it was asked for.
protocol InvoiceRefusal: UnansweredReason {
    /// What a refusal of the other dialect means in this one.
    init(_ refusal: Refusal)
    /// What it means that the ledger did not write the invoice down.
    init(recording fault: LedgerFault)
}

extension InvoiceRefusal {
    /// Has the ledger write an invoice down, whose fault becomes the reason.
    static func recording(_ write: @autoclosure () async throws(LedgerFault) -> Void) async throws(Self) {
        do {
            try await write()
        } catch {
            throw Self(recording: error)
        }
    }

    /// Does something that is refused in the words of the other dialect.
    static func translating<Value>(
        _ answer: @autoclosure () async throws(Refusal) -> Value
    ) async throws(Self) -> Value {
        do {
            return try await answer()
        } catch {
            throw Self(error)
        }
    }
}

extension Refusal.Cause: UnansweredReason {
    static func unavailable(_ cause: Refusal.Cause) -> Refusal.Cause { cause }
}

extension Refusal: InvoiceRefusal {
    init(_ refusal: Refusal) { self = refusal }

    init(recording fault: LedgerFault) {
        self = fault == .challengeUsed ? .challenge(.used) : .unavailable(.ledger(fault))
    }
}

extension RequestRefusal: InvoiceRefusal {
    init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .amountOutOfLimits(let limits): .amountOutOfLimits(limits)
            case .amountNotWholeSatoshis: .amountNotWholeSatoshis
            case .tooMany(let seconds): .tooMany(retryAfter: seconds)
            case .unavailable(let cause): .unavailable(cause)
            default: .unknownOffer
            }
    }

    init(recording fault: LedgerFault) {
        self =
            switch fault {
            case .offerDisabled: .offerDisabled
            case .offerExhausted: .offerExhausted
            case .unknownOffer: .unknownOffer
            default: .unavailable(.ledger(fault))
            }
    }
}
