import Hummingbird
import Logging
import Registrations
import ResponderModel

/// What a payer's question leads to: an answer, or a question to a device.
enum PayerStep: Sendable {
    case answer(PayerAnswer)
    case asked(AskedDevice<PayerAnswer, PayerFault>)
}

/// How far a payer's request has come. Indirect, to keep the frame small that waits for a device.
indirect enum PayerProgress: Sendable {
    case answered(Response)
    case waiting(WaitingPayer)
}

/// A payer who waits for a device, and all that is needed to answer then.
final class WaitingPayer: Sendable {
    let asked: AskedDevice<PayerAnswer, PayerFault>
    private let instruments: RouteInstruments
    private let start: ContinuousClock.Instant
    private let logger: Logger

    init(
        for asked: AskedDevice<PayerAnswer, PayerFault>, _ instruments: RouteInstruments,
        since start: ContinuousClock.Instant, _ logger: Logger
    ) {
        self.asked = asked
        self.instruments = instruments
        self.start = start
        self.logger = logger
    }

    /// The response, once the device has answered or will not.
    func response(to outcome: Result<DeviceAnswer, DeviceRefusal>) async -> Response {
        let observed = await RouteInstruments.Observed { () async throws(PayerFault) in
            try await asked.answer(outcome)
        }
        return instruments.record(observed, since: start, logger)
    }
}

extension RouteInstruments {
    /// Answers a payer's question and records the outcome, unless it waits for a device.
    func progress(
        _ logger: Logger, _ question: () async throws(PayerFault) -> PayerStep
    ) async -> PayerProgress {
        let start = ContinuousClock.now
        let observed: Observed
        do {
            switch try await question() {
            case .answer(let answer): observed = Observed(answer)
            case .asked(let asked): return .waiting(WaitingPayer(for: asked, self, since: start, logger))
            }
        } catch {
            observed = Observed(fault: error)
        }
        return .answered(record(observed, since: start, logger))
    }
}
