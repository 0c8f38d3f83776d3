import LightningCoding
import ResponderModel

extension NodeAnswer {
    init(_ value: JSONValue, to method: HookMethod) throws(BackendFault) { try self.init(value, at: method.rawValue) }

    /// The objects in an array; none when it is absent.
    func optionalElements(_ key: String) throws(BackendFault) -> [NodeAnswer] { has(key) ? try elements(key) : [] }

    func amount(_ key: String) throws(BackendFault) -> Millisatoshi {
        let amount = Millisatoshi(try unsigned(key))
        guard amount <= .maximum else { throw fault(key) }
        return amount
    }

    func time(_ key: String) throws(BackendFault) -> UnixTime {
        let time = UnixTime(try unsigned(key))
        guard time <= .lastSecond else { throw fault(key) }
        return time
    }

    /// The strings of an array, parsed by `read`; none when it is absent.
    func texts<Value>(_ key: String, _ read: (String) throws -> Value?) throws(BackendFault) -> [Value] {
        var values: [Value] = []
        for element in has(key) ? try array(key) : [] {
            guard let text = element.string, let value = try? read(text) else { throw fault(key) }
            values.append(value)
        }
        return values
    }

    /// A string, parsed by `read`; nil when it is absent.
    func optional<Value>(_ key: String, _ read: (String) throws -> Value?) throws(BackendFault) -> Value? {
        has(key) ? try parsed(key, read) : nil
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
