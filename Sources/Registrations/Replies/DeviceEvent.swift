import LightningCoding
import OutboundHTTP

/// What became of a question, for logs and metrics. Holds neither webhook nor reply id.
public enum DeviceEvent: Hashable, Sendable {
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
    /// A reply came too late, twice, or for a question that nobody has asked.
    case unknownReply
    /// Replies that reach other instances do not reach this one: why.
    case apart(String)
    /// A payer was turned away: too many wait, or too many questions to this device are open.
    case crowded
    /// A payer has closed the connection while it waited.
    case left

    /// The text for the operator; nil for what is as it should be.
    public var cause: String? {
        switch self {
        case .asked, .answered, .unknownReply, .left: nil
        case .refused(let fault): fault.reason
        case .unreachable(let reason): "the webhook does not take the question: \(reason)"
        case .silent: "the device has not answered in time"
        case .apart(let reason): "replies that reach other instances are lost: \(reason)"
        case .crowded: "too many payers wait"
        }
    }
}
