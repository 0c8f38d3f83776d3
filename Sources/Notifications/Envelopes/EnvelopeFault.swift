public import LightningCoding

/// Why a notification cannot be read.
public enum EnvelopeFault: Error, Hashable, Sendable {
    /// It is longer than `NotificationReader.maximumCount` bytes.
    case tooLarge
    /// It is not valid JSON.
    case json(JSONFault)
    /// It is not a JSON object.
    case notAnObject
    /// It matches no known envelope.
    case unknownEnvelope
    /// A member of the envelope breaks a rule.
    case member(MemberFault)
    /// The payload of a push message is not valid JSON.
    case payloadJSON(JSONFault)
    /// A member of the payload breaks a rule.
    case payload(MemberFault)
}

/// Which member of a JSON object breaks a rule, and which rule.
public struct MemberFault: Error, Hashable, Sendable {
    /// The member, by the sender's name for it.
    public let member: String
    /// The rule.
    public let problem: Problem

    /// The rule that a member breaks.
    public enum Problem: Hashable, Sendable {
        /// It is absent or null.
        case missing
        /// It is not a string.
        case notText
        /// It contains U+0000, which not every ledger can store.
        case zero
        /// It is an empty string.
        case empty
        /// It is longer than this many bytes.
        case tooLong(maximum: Int)
        /// It is not an object.
        case notAnObject
        /// It is not an integer from 0 to 2^64-1, written as a number.
        case notWholeNumber
        /// It is not hexadecimal, or has the wrong length.
        case notHexadecimal
        /// It is not base64 (RFC 4648, section 4).
        case notBase64
    }

    /// Creates a fault.
    public init(_ member: String, _ problem: Problem) {
        self.member = member
        self.problem = problem
    }
}

extension EnvelopeFault {
    /// The text for the sender. It reveals nothing internal.
    public var reason: String {
        switch self {
        case .tooLarge: "the notification is too large"
        case .json: "the notification must be a JSON document"
        case .notAnObject: "the notification must be a JSON object"
        case .unknownEnvelope: "the notification has an unknown format"
        case .member(let fault): fault.reason
        case .payloadJSON: "the payload must be a JSON document"
        case .payload(let fault): fault.reason
        }
    }
}

extension MemberFault {
    /// The text for the sender.
    public var reason: String {
        switch problem {
        case .missing: "\(member) is missing"
        case .notText: "\(member) must be text"
        case .zero: "\(member) must not contain U+0000"
        case .empty: "\(member) is empty"
        case .tooLong(let maximum): "\(member) has more than \(maximum) bytes"
        case .notAnObject: "\(member) must be an object"
        case .notWholeNumber: "\(member) must be a whole number from 0 to 18446744073709551615"
        case .notHexadecimal: "\(member) must be hexadecimal"
        case .notBase64: "\(member) must be base64"
        }
    }
}
