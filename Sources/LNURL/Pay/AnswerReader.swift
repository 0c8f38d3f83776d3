import LightningCoding
import LightningCrypto

/// Reads the members of a service's response, once it is known not to be an error.
struct AnswerReader {
    private let object: JSONObject

    init(_ json: JSONValue) throws(LNURLFault) {
        guard let object = json.object else { throw .notAnObject }
        if let error = ErrorResponse(json: json) { throw .refused(error) }
        self.object = object
    }

    /// The member, unless it is absent or null: services use both for "none".
    func value(_ member: LNURLFault.Member) -> JSONValue? {
        guard let value = object[member.rawValue], !value.isNull else { return nil }
        return value
    }

    func string(_ member: LNURLFault.Member) throws(LNURLFault) -> String {
        guard let value = value(member) else { throw .missing(member) }
        guard let string = value.string else { throw .malformed(member) }
        return string
    }

    func unsigned(_ member: LNURLFault.Member) throws(LNURLFault) -> UInt64 {
        guard let value = value(member) else { throw .missing(member) }
        guard let number = value.uint64 ?? value.string.flatMap(UInt64.init(digits:)) else { throw .malformed(member) }
        return number
    }

    func bool(_ member: LNURLFault.Member) throws(LNURLFault) -> Bool {
        guard let value = value(member) else { throw .missing(member) }
        guard let bool = value.bool else { throw .malformed(member) }
        return bool
    }

    func url(_ member: LNURLFault.Member) throws(LNURLFault) -> HTTPURL {
        let text = try string(member)
        let url: HTTPURL
        do {
            url = try HTTPURL(text)
        } catch {
            throw .url(member, error)
        }
        guard URLPolicy.allows(url) else { throw .clearnetHTTP(member) }
        return url
    }
}
