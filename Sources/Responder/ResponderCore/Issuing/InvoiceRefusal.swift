import LNURL
import LightningCoding
package import Platform
package import ResponderModel

/// Why no invoice is issued, in the protocol of the request.
protocol InvoiceRefusal: Error {
    /// No answer is possible now, for that cause.
    static func unavailable(_ cause: Refusal.Cause) -> Self
    init(_ refusal: Refusal)
    init(recording fault: LedgerFault)
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
