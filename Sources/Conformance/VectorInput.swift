public import LightningCoding

/// The input of a case. A runner reads it member by member; a missing or mistyped member is a fault of the case and
/// fails it, even when rejection is expected.
public struct VectorInput: Sendable {
    /// Why a runner cannot use an input.
    public struct Fault: Error, Hashable, Sendable {
        /// The member that is missing or unusable.
        public let member: String

        /// Creates a fault of a member.
        public init(member: String) {
            self.member = member
        }
    }

    /// All members, for a runner that passes on JSON.
    public let members: JSONObject

    /// The members of a case's `input`.
    public init(_ members: JSONObject) {
        self.members = members
    }

    /// Whether the case has a member that is not `null`.
    public func has(_ name: String) -> Bool {
        members[name].map { !$0.isNull } ?? false
    }

    /// A member of any type.
    public func value(_ name: String) throws(Fault) -> JSONValue {
        try unwrap(members[name], name)
    }

    /// A text.
    public func string(_ name: String) throws(Fault) -> String {
        try unwrap(members[name]?.string, name)
    }

    /// A boolean.
    public func bool(_ name: String) throws(Fault) -> Bool {
        try unwrap(members[name]?.bool, name)
    }

    /// An integer from 0 to 2^64-1.
    public func unsigned(_ name: String) throws(Fault) -> UInt64 {
        try unwrap(members[name]?.uint64, name)
    }

    /// Bytes, in lower-case hexadecimal.
    public func bytes(_ name: String) throws(Fault) -> [UInt8] {
        let text = try string(name)
        do {
            let bytes = try Hexadecimal.decode(text)
            guard Hexadecimal.encode(bytes) == text else { throw Fault(member: name) }
            return bytes
        } catch {
            throw Fault(member: name)
        }
    }

    private func unwrap<Value>(_ value: Value?, _ name: String) throws(Fault) -> Value {
        guard let value else { throw Fault(member: name) }
        return value
    }
}
