import LightningCoding
import LightningCrypto
import Receiving

/// Reads members of an answer; the first one that is missing or of another kind is the fault.
struct AnswerReader {
    private let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    func has(_ key: String) -> Bool {
        value[key] != nil
    }

    func text(_ key: String) throws(CommandFault) -> String {
        guard let text = value[key]?.string else { throw .malformed(key) }
        return text
    }

    func number(_ key: String) throws(CommandFault) -> UInt64 {
        guard let number = value[key]?.uint64 else { throw .malformed(key) }
        return number
    }

    func truth(_ key: String) throws(CommandFault) -> Bool {
        guard let truth = value[key]?.bool else { throw .malformed(key) }
        return truth
    }

    /// An amount in msat; lightningd writes plain integers since v23.05.
    func amount(_ key: String) throws(CommandFault) -> Millisatoshi {
        Millisatoshi(try number(key))
    }

    func array(_ key: String) throws(CommandFault) -> [JSONValue] {
        guard let elements = value[key]?.array else { throw .malformed(key) }
        return elements
    }

    func elements(_ key: String) throws(CommandFault) -> [AnswerReader] {
        try array(key).map(AnswerReader.init)
    }

    func member(_ key: String) -> AnswerReader? {
        value[key].map(AnswerReader.init)
    }

    /// A member that `read` makes a value of.
    func parsed<Value>(_ key: String, _ read: (String) throws -> Value) throws(CommandFault) -> Value {
        let text = try text(key)
        guard let value = try? read(text) else { throw .malformed(key) }
        return value
    }
}
