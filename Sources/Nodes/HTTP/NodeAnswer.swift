public import LightningCoding
public import Contracts

/// A JSON object from a node, read member by member; the first missing or mistyped one is the fault. A fault names the
/// member, never its value, which may be a preimage.
public struct NodeAnswer: Sendable {
    private let object: JSONObject
    private let path: String

    /// Reads the object in a body.
    public init(_ body: [UInt8], _ limits: CallLimits) throws(BackendFault) {
        do {
            try self.init(JSONValue(parsing: body, limits: limits.json), "")
        } catch let fault as JSONFault {
            throw .malformedAnswer("no JSON: \(fault.reason)")
        } catch let fault as BackendFault {
            throw fault
        } catch {
            throw .malformedAnswer("no JSON")
        }
    }

    /// Reads a value that must be an object.
    ///
    /// - Parameter path: names the value in faults.
    public init(_ value: JSONValue, _ path: String) throws(BackendFault) {
        guard let object = value.object else { throw .malformedAnswer(path.isEmpty ? "no object" : path) }
        self.object = object
        self.path = path
    }

    /// The objects in an array.
    public static func elements(_ value: JSONValue, _ path: String) throws(BackendFault) -> [NodeAnswer] {
        guard let array = value.array else { throw .malformedAnswer(path.isEmpty ? "no list" : path) }
        var elements: [NodeAnswer] = []
        for element in array { elements.append(try NodeAnswer(element, path)) }
        return elements
    }

    /// Whether the member is present and not null.
    public func has(_ key: String) -> Bool {
        object[key].map { !$0.isNull } ?? false
    }

    /// A string.
    public func text(_ key: String) throws(BackendFault) -> String {
        guard let text = object[key]?.string else { throw fault(key) }
        return text
    }

    /// A Boolean.
    public func truth(_ key: String) throws(BackendFault) -> Bool {
        guard let truth = object[key]?.bool else { throw fault(key) }
        return truth
    }

    /// An unsigned integer, written as a number or, as in the JSON of protocol buffers, as a string.
    public func number(_ key: String) throws(BackendFault) -> UInt64 {
        switch object[key] {
        case .number(let number)?:
            if let value = number.uint64 { return value }
        case .string(let text)?:
            if let value = UInt64(digits: text) { return value }
        default: break
        }
        throw fault(key)
    }

    /// An unsigned integer, written as a number.
    public func wholeNumber(_ key: String) throws(BackendFault) -> UInt64 {
        guard let number = object[key]?.uint64 else { throw fault(key) }
        return number
    }

    /// An amount in msat.
    public func millisatoshi(_ key: String) throws(BackendFault) -> Millisatoshi {
        let amount = Millisatoshi(try number(key))
        guard amount <= .maximum else { throw fault(key) }
        return amount
    }

    /// An amount in whole satoshis.
    public func satoshi(_ key: String) throws(BackendFault) -> Millisatoshi {
        guard let amount = try? Millisatoshi(satoshi: try number(key)), amount <= .maximum else { throw fault(key) }
        return amount
    }

    /// A string that `read` parses.
    public func parsed<Value>(_ key: String, _ read: (String) throws -> Value) throws(BackendFault) -> Value {
        let text = try text(key)
        guard let value = try? read(text) else { throw fault(key) }
        return value
    }

    /// An object member.
    public func member(_ key: String) throws(BackendFault) -> NodeAnswer {
        guard let value = object[key] else { throw fault(key) }
        return try NodeAnswer(value, name(key))
    }

    /// The objects in an array member.
    public func elements(_ key: String) throws(BackendFault) -> [NodeAnswer] {
        guard let value = object[key] else { throw fault(key) }
        return try NodeAnswer.elements(value, name(key))
    }

    /// The members of an object member whose keys are not known beforehand.
    public func members(_ key: String) throws(BackendFault) -> [NodeAnswer] {
        guard let inner = object[key]?.object else { throw fault(key) }
        var members: [NodeAnswer] = []
        for member in inner.members { members.append(try NodeAnswer(member.value, name(key))) }
        return members
    }

    /// The fault of a member.
    public func fault(_ key: String) -> BackendFault {
        .malformedAnswer(name(key))
    }

    private func name(_ key: String) -> String {
        path.isEmpty ? key : path + "." + key
    }
}
