import LNURL
import LightningCoding
package import Platform
package import ResponderModel

/// Why there is no answer, in any protocol: the ledger or a node may have failed.
protocol UnansweredReason: Error {
    /// No answer is possible now, for that cause.
    static func unavailable(_ cause: Refusal.Cause) -> Self
}

extension UnansweredReason {
    /// Calls the ledger and maps its fault.
    static func asking<Value>(
        _ answer: @autoclosure () async throws(LedgerFault) -> Value
    ) async throws(Self) -> Value {
        try await awaiting(await answer()) { Self.unavailable(.ledger($0)) }
    }

    /// Calls a backend and maps its fault.
    static func asking<Value>(
        _ name: BackendName, _ answer: @autoclosure () async throws(BackendFault) -> Value
    ) async throws(Self) -> Value {
        try await awaiting(await answer()) { Self.unavailable(.backend(name, $0)) }
    }

    /// Resolves something and maps its fault.
    static func resolving<Value>(
        _ answer: @autoclosure () async throws(Refusal.Cause) -> Value
    ) async throws(Self) -> Value {
        try await awaiting(await answer(), as: Self.unavailable)
    }
}

/// Why no invoice is issued, in the protocol of the request.
protocol InvoiceRefusal: UnansweredReason {
    /// Maps a refusal of the other protocol.
    init(_ refusal: Refusal)
    /// Maps the ledger's fault in recording the invoice.
    init(recording fault: LedgerFault)
}

extension InvoiceRefusal {
    /// Records an invoice and maps the ledger's fault.
    static func recording(_ write: @autoclosure () async throws(LedgerFault) -> Void) async throws(Self) {
        try await awaiting(await write()) { Self(recording: $0) }
    }

    /// Does something that throws refusals of the other protocol, and maps them.
    static func translating<Value>(
        _ answer: @autoclosure () async throws(Refusal) -> Value
    ) async throws(Self) -> Value {
        try await awaiting(await answer()) { Self($0) }
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

/// Records how long the parts of one answer take. Found through a task-local value, so that it need not be passed
/// along.
package final class StepLog: Sendable {
    /// The log of the answer that this task works on; nil when nothing is measured.
    @TaskLocal package static var current: StepLog?

    private let clock: MonotonicClock
    private let taken = Guarded<[EventRecord.Step]>([])

    package init(clock: MonotonicClock) {
        self.clock = clock
    }

    /// The steps so far.
    package var steps: [EventRecord.Step] { taken.withLock { $0 } }

    /// Runs a body and records its duration, also when it throws.
    package static func measure<Value, Fault>(
        _ name: String, _ body: () async throws(Fault) -> Value
    ) async throws(Fault) -> Value {
        guard let log = current else { return try await body() }
        let begin = log.clock.now()
        defer {
            let step = EventRecord.Step(name, milliseconds: (log.clock.now() - begin).wholeMilliseconds)
            log.taken.withLock { $0.append(step) }
        }
        return try await body()
    }
}
