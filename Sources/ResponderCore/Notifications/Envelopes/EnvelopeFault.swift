public import LightningCoding

/// Why a notification cannot be read.
public enum EnvelopeFault: Error, Hashable, Sendable {
    /// It has more bytes than `NotificationReader.maximumCount`.
    case tooLarge
    /// It is no JSON text.
    case json(JSONFault)
    /// It is a JSON text, but no object.
    case notAnObject
    /// It has the members of no envelope.
    case unknownEnvelope
    /// A member of the envelope breaks a rule.
    case member(MemberFault)
    /// The payload of a push message is no JSON text.
    case payloadJSON(JSONFault)
    /// A member of the payload breaks a rule.
    case payload(MemberFault)
}

/// Which member of a JSON object breaks a rule, and which rule.
public struct MemberFault: Error, Hashable, Sendable {
    /// The member, as its sender calls it.
    public let member: String
    /// The rule.
    public let problem: Problem

    /// The rule that a member breaks.
    public enum Problem: Hashable, Sendable {
        /// It is not there, or null.
        case missing
        /// It is no text.
        case notText
        /// It is a text of no characters.
        case empty
        /// It has more bytes than that.
        case tooLong(maximum: Int)
        /// It is no object.
        case notAnObject
        /// It is no integer from 0 to 2^64-1, written as a number.
        case notWholeNumber
        /// It is not hexadecimal, or stands for too many or too few bytes.
        case notHexadecimal
        /// It is not base64 (RFC 4648, section 4).
        case notBase64
    }

    /// A fault in a member.
    public init(_ member: String, _ problem: Problem) {
        self.member = member
        self.problem = problem
    }
}

extension EnvelopeFault {
    /// For whoever sent it. Nothing in it comes from inside.
    public var reason: String {
        switch self {
        case .tooLarge: "the notification is too large"
        case .json: "the notification must be a JSON document"
        case .notAnObject: "the notification must be a JSON object"
        case .unknownEnvelope: "this is no notification that is known here"
        case .member(let fault): fault.reason
        case .payloadJSON: "the payload must be a JSON document"
        case .payload(let fault): fault.reason
        }
    }
}

extension MemberFault {
    /// For whoever sent it.
    public var reason: String {
        switch problem {
        case .missing: "\(member) is missing"
        case .notText: "\(member) must be a text"
        case .empty: "\(member) is empty"
        case .tooLong(let maximum): "\(member) has more than \(maximum) bytes"
        case .notAnObject: "\(member) must be an object"
        case .notWholeNumber: "\(member) must be a whole number from 0 to 18446744073709551615"
        case .notHexadecimal: "\(member) must be hexadecimal"
        case .notBase64: "\(member) must be base64"
        }
    }
}
