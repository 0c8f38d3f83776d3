package import CoreMetrics
package import Logging
import Platform
package import ResponderModel

/// What became of a question, for logs and metrics. Holds neither webhook nor reply id.
package enum DeviceEvent: Hashable, Sendable {
    /// The device is asked.
    case asked
    /// It has answered, after that time.
    case answered(after: Duration)
    /// Its reply breaks a rule, or refuses.
    case refused(ReplyFault)
    /// Its webhook has not taken the question.
    case unreachable(String)
    /// It has not answered in time.
    case silent
    /// A payer was turned away: too many wait, or too many questions to this device are open.
    case crowded
    /// A payer has closed the connection while it waited.
    case left

    /// The text for the operator; nil for what is as it should be.
    package var cause: String? {
        switch self {
        case .asked, .answered, .left: nil
        case .refused(let fault): fault.reason
        case .unreachable(let reason): "the webhook did not accept the question: \(reason)"
        case .silent: "the device has not answered in time"
        case .crowded: "too many payers are waiting"
        }
    }
}

/// Counts and times questions to devices, and logs those that fail: one line for each cause a minute. No line holds a
/// webhook, a reply id or a comment.
package struct DeviceObserver: Sendable {
    private let asked: Counter
    private let answered: Counter
    private let refused: Counter
    private let unreachable: Counter
    private let silent: Counter
    private let crowded: Counter
    private let left: Counter
    private let time: Timer
    private let logger: Logger
    private let lines = RepeatedLines<String>()

    package init(metrics: any MetricsFactory, logger: Logger) {
        func counter(_ outcome: String) -> Counter {
            Counter(label: "responder_device_questions_total", dimensions: [("outcome", outcome)], factory: metrics)
        }
        asked = counter("asked")
        answered = counter("answered")
        refused = counter("refused")
        unreachable = counter("unreachable")
        silent = counter("silent")
        crowded = counter("crowded")
        left = Counter(label: "responder_device_payers_left_total", factory: metrics)
        time = Timer(label: "responder_device_answer_seconds", factory: metrics)
        self.logger = logger
    }

    package func note(_ event: DeviceEvent, of id: RegistrationID?) {
        switch event {
        case .asked: asked.increment()
        case .answered(let duration):
            answered.increment()
            time.recordNanoseconds(duration.wholeNanoseconds)
        case .refused: refused.increment()
        case .unreachable: unreachable.increment()
        case .silent: silent.increment()
        case .crowded: crowded.increment()
        case .left: left.increment()
        }
        guard let cause = event.cause else { return }
        lines.note(cause) { [logger] times in
            var metadata: Logger.Metadata = ["cause": .string(cause)]
            if let id { metadata["domain"] = "\(id.domain)" }
            if times > 1 { metadata["times"] = "\(times)" }
            logger.notice("device not answering", metadata: metadata)
        }
    }
}
