/// The members of a JSON object from outside, read one by one: the first that is missing or malformed is the fault,
/// which names it and never holds its value. `null` counts as absent; unknown members are ignored.
public struct JSONMembers<Fault: JSONMemberFault>: Sendable {
    /// The object.
    public let object: JSONObject
    /// Where the object is in its document: `channels[0]`; empty for the whole document.
    public let path: String

    /// Reads a value that must be an object.
    @inlinable public init(_ value: JSONValue, at path: String = "") throws(Fault) {
        guard let object = value.object else { throw Fault(member: path, .notAnObject) }
        self.init(object, at: path)
    }

    /// Reads an object.
    @inlinable public init(_ object: JSONObject, at path: String = "") {
        self.object = object
        self.path = path
    }

    /// The objects in an array.
    @inlinable public static func elements(of value: JSONValue, at path: String = "") throws(Fault) -> [JSONMembers] {
        guard let values = value.array else { throw Fault(member: path, .notAnArray) }
        var elements: [JSONMembers] = []
        for (index, value) in values.enumerated() { elements.append(try JSONMembers(value, at: "\(path)[\(index)]")) }
        return elements
    }

    /// Whether a member is present.
    @inlinable public func has(_ key: String) -> Bool { optional(key) != nil }

    /// A member of any type; nil when it is absent.
    @inlinable public func optional(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    /// A member of any type.
    @inlinable public func value(_ key: String) throws(Fault) -> JSONValue {
        guard let value = optional(key) else { throw fault(key, .missing) }
        return value
    }

    /// A text.
    @inlinable public func text(_ key: String) throws(Fault) -> String {
        guard let text = try value(key).string else { throw fault(key, .notText) }
        return text
    }

    /// A text; nil when it is absent.
    @inlinable public func optionalText(_ key: String) throws(Fault) -> String? {
        guard let value = optional(key) else { return nil }
        guard let text = value.string else { throw fault(key, .notText) }
        return text
    }

    /// A Boolean.
    @inlinable public func flag(_ key: String) throws(Fault) -> Bool {
        guard let flag = try value(key).bool else { throw fault(key, .notAFlag) }
        return flag
    }

    /// An integer from 0 to 2^64-1, written as a number.
    @inlinable public func unsigned(_ key: String) throws(Fault) -> UInt64 {
        guard let number = try value(key).uint64 else { throw fault(key, .notWholeNumber) }
        return number
    }

    /// The same; nil when it is absent.
    @inlinable public func optionalUnsigned(_ key: String) throws(Fault) -> UInt64? {
        has(key) ? try unsigned(key) : nil
    }

    /// The same, of a smaller type.
    @inlinable public func number<Number: FixedWidthInteger>(_ key: String) throws(Fault) -> Number {
        guard let number = Number(exactly: try unsigned(key)) else { throw fault(key) }
        return number
    }

    /// The values of an array.
    @inlinable public func array(_ key: String) throws(Fault) -> [JSONValue] {
        guard let values = try value(key).array else { throw fault(key, .notAnArray) }
        return values
    }

    /// An object.
    @inlinable public func member(_ key: String) throws(Fault) -> JSONMembers {
        try JSONMembers(value(key), at: path(of: key))
    }

    /// The objects in an array.
    @inlinable public func elements(_ key: String) throws(Fault) -> [JSONMembers] {
        try Self.elements(of: value(key), at: path(of: key))
    }

    /// A text that `read` parses.
    @inlinable public func parsed<Value>(_ key: String, _ read: (String) throws -> Value?) throws(Fault) -> Value {
        guard let value = try? read(try text(key)) else { throw fault(key, has(key) ? .malformed : .missing) }
        return value
    }

    /// The fault of a member.
    @inlinable public func fault(_ key: String, _ problem: JSONMemberProblem = .malformed) -> Fault {
        Fault(member: path(of: key), problem)
    }

    @usableFromInline func path(of key: String) -> String { path.isEmpty ? key : path + "." + key }
}

/// A fault that names a member of a JSON document.
public protocol JSONMemberFault: Error {
    /// The fault of the member at that path; the document itself has an empty one.
    init(member path: String, _ problem: JSONMemberProblem)
}

/// What is wrong with a member of a JSON document.
public enum JSONMemberProblem: Hashable, Sendable {
    /// It is absent or null.
    case missing
    /// It is of another type.
    case notText, notAFlag, notWholeNumber, notAnObject, notAnArray
    /// It is of the right type, and cannot be what it should.
    case malformed

    /// What was expected; nil when the type is not what is wrong.
    public var expected: String? {
        switch self {
        case .notText: "text"
        case .notAFlag: "true or false"
        case .notWholeNumber: "a whole number"
        case .notAnObject: "an object"
        case .notAnArray: "an array"
        case .missing, .malformed: nil
        }
    }
}
