import LightningCoding
import LightningCrypto
import Contracts

/// A hook's response, read member by member; faults name the missing or malformed member and the method.
struct HookAnswer {
    private let value: JSONValue
    private let place: String

    init(_ value: JSONValue, to method: HookMethod) {
        self.init(value, at: method.rawValue)
    }

    private init(_ value: JSONValue, at place: String) {
        self.value = value
        self.place = place
    }

    func malformed(_ key: String) -> BackendFault {
        .malformedAnswer("\(place): \(key) is missing or malformed")
    }

    func member(_ key: String) throws(BackendFault) -> HookAnswer {
        guard let member = value[key], member.object != nil else { throw malformed(key) }
        return HookAnswer(member, at: "\(place).\(key)")
    }

    /// An object; nil when the member is absent.
    func optionalMember(_ key: String) throws(BackendFault) -> HookAnswer? {
        guard let member = value[key], !member.isNull else { return nil }
        return try self.member(key)
    }

    /// The whole object; nil when it is none.
    var object: JSONObject? { value.object }

    /// The elements of an array; none when the member is absent.
    func members(_ key: String) throws(BackendFault) -> [HookAnswer] {
        guard let member = value[key], !member.isNull else { return [] }
        guard let elements = member.array else { throw malformed(key) }
        return elements.enumerated().map { HookAnswer($1, at: "\(place).\(key)[\($0)]") }
    }

    func text(_ key: String) throws(BackendFault) -> String {
        guard let text = try optionalText(key) else { throw malformed(key) }
        return text
    }

    func optionalText(_ key: String) throws(BackendFault) -> String? {
        guard let member = value[key], !member.isNull else { return nil }
        guard let text = member.string else { throw malformed(key) }
        return text
    }

    func unsigned(_ key: String) throws(BackendFault) -> UInt64 {
        guard let number = value[key]?.uint64 else { throw malformed(key) }
        return number
    }

    /// A number of a smaller integer type.
    func number<Number: FixedWidthInteger>(
        _ key: String, as type: Number.Type = Number.self
    ) throws(BackendFault) -> Number {
        guard let number = Number(exactly: try unsigned(key)) else { throw malformed(key) }
        return number
    }

    func amount(_ key: String) throws(BackendFault) -> Millisatoshi {
        let amount = Millisatoshi(try unsigned(key))
        guard amount <= .maximum else { throw malformed(key) }
        return amount
    }

    func time(_ key: String) throws(BackendFault) -> UnixTime {
        let time = UnixTime(try unsigned(key))
        guard time <= .lastSecond else { throw malformed(key) }
        return time
    }

    func bool(_ key: String) throws(BackendFault) -> Bool {
        guard let flag = value[key]?.bool else { throw malformed(key) }
        return flag
    }

    /// A string, parsed by `read`.
    func read<Value>(_ key: String, _ read: (String) throws -> Value?) throws(BackendFault) -> Value {
        guard let value = try? read(try text(key)) else { throw malformed(key) }
        return value
    }

    /// The strings of an array, parsed by `read`; empty when the member is absent.
    func texts<Value>(_ key: String, _ read: (String) throws -> Value?) throws(BackendFault) -> [Value] {
        guard let member = value[key], !member.isNull else { return [] }
        guard let elements = member.array else { throw malformed(key) }
        var values: [Value] = []
        for element in elements {
            guard let text = element.string, let value = try? read(text) else { throw malformed(key) }
            values.append(value)
        }
        return values
    }

    /// A string, parsed by `read`; nil when the member is absent.
    func optional<Value>(_ key: String, _ read: (String) throws -> Value?) throws(BackendFault) -> Value? {
        guard try optionalText(key) != nil else { return nil }
        return try self.read(key, read)
    }
}

extension BackendFault {
    /// An error of the hook: `{"code":"duplicate","message":"…"}`. Unknown codes are refusals.
    init(hookError error: JSONValue) {
        // Cut before it is made printable, so that a long text costs no more, and after, since escapes are longer.
        let start = String((error["message"]?.string ?? "").unicodeScalars.prefix(200)).printable
        let message = String(start.unicodeScalars.prefix(200))
        self =
            switch error["code"]?.string.map({ ExactText($0) }) {
            case "unavailable": .unreachable(message)
            case "nothing-receivable": .nothingReceivable
            case "amount-not-possible": .amountNotPossible
            case "duplicate": .duplicate
            case "unsupported": .unsupported
            default: .refused(message)
            }
    }
}
