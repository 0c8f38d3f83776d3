import CoreMetrics
import Hummingbird
import Logging
import Platform

enum Outcome: String, CaseIterable, Sendable {
    case answered
    case refused
    /// Something on our side failed.
    case failed
}

/// Counts and times the requests to one route, and logs them under the route's template: never under the path, which
/// may hold a secret.
struct RouteInstruments: Sendable {
    let template: String
    private let answered: Counter
    private let refused: Counter
    private let failed: Counter
    private let duration: Timer
    private let failures = RepeatedLines<String>()

    init(template: String, metrics: any MetricsFactory) {
        func counter(_ outcome: Outcome) -> Counter {
            Counter(
                label: "responder_requests_total",
                dimensions: [("route", template), ("outcome", outcome.rawValue)],
                factory: metrics
            )
        }
        self.template = template
        answered = counter(.answered)
        refused = counter(.refused)
        failed = counter(.failed)
        duration = Timer(label: "responder_request_seconds", dimensions: [("route", template)], factory: metrics)
    }

    /// Answers a request and records the outcome.
    ///
    /// - Parameter work: answers it; also returns the cause to log when we failed.
    func observe(_ logger: Logger, _ work: () async -> Observed) async -> Response {
        let start = MonotonicTime.now
        let observed = await work()
        let elapsed = MonotonicTime.now - start
        counter(of: observed.outcome).increment()
        duration.recordNanoseconds(elapsed.wholeNanoseconds)
        if let cause = observed.cause {
            failures.note(cause) { [template] times in
                logger.error(
                    "request failed", metadata: ["route": "\(template)", "cause": .string(cause)].repeated(times))
            }
        }
        logger.debug(
            "request",
            metadata: [
                "route": "\(template)", "outcome": .string(observed.outcome.rawValue),
                "seconds": "\(elapsed / .seconds(1))",
            ]
        )
        return observed.response
    }

    struct Observed {
        let response: Response
        let outcome: Outcome
        /// The internal failure; only logged.
        let cause: String?

        init(_ response: Response, _ outcome: Outcome = .answered, cause: String? = nil) {
            self.response = response
            self.outcome = outcome
            self.cause = cause
        }
    }

    private func counter(of outcome: Outcome) -> Counter {
        switch outcome {
        case .answered: answered
        case .refused: refused
        case .failed: failed
        }
    }
}
