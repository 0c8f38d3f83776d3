package import LightningCoding

package enum EnvelopeFault: Error, Hashable, Sendable {
    /// It is longer than `NotificationReader.maximumCount` bytes.
    case tooLarge
    case json(JSONFault)
    case notAnObject
    case unknownEnvelope
    case member(MemberFault)
    case payloadJSON(JSONFault)
    case payload(MemberFault)
}

package struct MemberFault: Error, Hashable, Sendable {
    /// The member, by the sender's name for it.
    package let member: String
    package let problem: Problem

    package enum Problem: Hashable, Sendable {
        /// It is absent or null.
        case missing
        case notText
        /// It contains U+0000, which not every ledger can store.
        case zero
        case empty
        /// It is longer than this many bytes.
        case tooLong(maximum: Int)
        case notAnObject
        /// It is not an integer from 0 to 2^64-1, written as a number.
        case notWholeNumber
        /// It is not hexadecimal, or has the wrong length.
        case notHexadecimal
        case notBase64
    }

    package init(_ member: String, _ problem: Problem) {
        self.member = member
        self.problem = problem
    }
}

extension EnvelopeFault {
    package var reason: String {
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
    package var reason: String {
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

/// Reads the members of an outside object. Null means absent; unknown members are ignored.
struct MemberReader {
    private let members: JSONMembers<MemberFault>
    private let names: EnvelopeNames

    /// The longest text of a member, in bytes.
    static let maximumText = 2048

    init(_ object: JSONObject, _ names: EnvelopeNames = EnvelopeNames()) {
        members = JSONMembers(object)
        self.names = names
    }

    var object: JSONObject { members.object }

    func value(_ name: String) -> JSONValue? { members.optional(names.payloadMember(name)) }

    /// A required, non-empty string.
    func text(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> String {
        guard let text = try optionalText(name, maximum: maximum) else { throw fault(name, .missing) }
        guard !text.isEmpty else { throw fault(name, .empty) }
        return text
    }

    func optionalText(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> String? {
        guard let text = try members.optionalText(names.payloadMember(name)) else { return nil }
        guard !text.utf8.contains(0) else { throw fault(name, .zero) }
        guard text.utf8.count <= maximum else { throw fault(name, .tooLong(maximum: maximum)) }
        return text
    }

    func unsigned(_ name: String) throws(MemberFault) -> UInt64 { try members.unsigned(names.payloadMember(name)) }

    func hexadecimal(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> [UInt8] {
        let text = try text(name, maximum: maximum)
        return try rethrowing(Hexadecimal.decode(text), as: fault(name, .notHexadecimal))
    }

    func object(_ name: String) throws(MemberFault) -> JSONObject {
        try members.member(names.payloadMember(name)).object
    }

    func fault(_ name: String, _ problem: MemberFault.Problem) -> MemberFault {
        MemberFault(names.payloadMember(name), problem)
    }
}

extension MemberFault: JSONMemberFault {
    package init(member path: String, _ problem: JSONMemberProblem) {
        switch problem {
        case .missing: self.init(path, .missing)
        case .notWholeNumber: self.init(path, .notWholeNumber)
        case .notAnObject: self.init(path, .notAnObject)
        case .notText, .notAFlag, .notAnArray, .malformed: self.init(path, .notText)
        }
    }
}
