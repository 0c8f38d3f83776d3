public import LightningCoding

/// The members of a service's response, once it is known not to be an error. Services use both absence and null for
/// "none".
typealias ServiceResponse = JSONMembers<LNURLFault>

extension LNURLFault: JSONMemberFault {
    /// The member is missing or malformed.
    public init(member path: String, _ problem: JSONMemberProblem) {
        guard let member = Member(rawValue: path) else {
            self = .notAnObject
            return
        }
        self = problem == .missing ? .missing(member) : .malformed(member)
    }
}

extension ServiceResponse {
    init(response json: JSONValue) throws(LNURLFault) {
        try self.init(json)
        if let error = ErrorResponse(json: json) { throw .refused(error) }
    }

    /// An unsigned integer, which some services write as a string.
    func lenientNumber(_ key: String) throws(LNURLFault) -> UInt64 {
        let value = try value(key)
        guard let number = value.uint64 ?? value.string.flatMap(UInt64.init(digits:)) else { throw fault(key) }
        return number
    }

    func url(_ member: LNURLFault.Member) throws(LNURLFault) -> HTTPURL {
        let text = try text(member.rawValue)
        let url = try rethrowing(HTTPURL(text)) { LNURLFault.url(member, $0) }
        guard URLPolicy.allows(url) else { throw .clearnetHTTP(member) }
        return url
    }
}

/// The error response of every LNURL service: `{"status":"ERROR","reason":"…"}` (LUD-01).
///
/// The body counts, whatever the HTTP status.
public struct ErrorResponse: Hashable, Sendable {
    /// The reason, for people; empty when the service gives none.
    public let reason: String

    /// Creates an error response.
    public init(reason: String) {
        self.reason = reason
    }

    /// Parses a body; nil when it is not an error. Case is ignored.
    public init?(json: JSONValue) {
        guard json["status"]?.string?.lowercasedASCII.isExactly("error") == true else { return nil }
        reason = json["reason"]?.string ?? ""
    }

    /// The body.
    public var json: JSONValue { ["status": "ERROR", "reason": .string(reason)] }
}
