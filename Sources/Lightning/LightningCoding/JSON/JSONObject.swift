/// A JSON object: members in the order written, with unique keys. Keys are compared as UTF-8 bytes.
public struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A key and its value.
    public struct Member: Hashable, Sendable {
        /// The key.
        public let key: String
        /// Its value.
        public let value: JSONValue

        /// Creates a member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        /// Whether key and value are equal, byte by byte.
        public static func == (one: Member, other: Member) -> Bool {
            one.key.isExactly(other.key) && one.value == other.value
        }

        /// Hashes the key's bytes and the value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(key))
            hasher.combine(value)
        }
    }

    /// The members in order.
    public private(set) var members: [Member]

    /// An object without members.
    public init() {
        members = []
    }

    /// Members in the order of the literal; the last value of a duplicate key wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        members.reserveCapacity(elements.count)
        for (key, value) in elements { append(key, value) }
    }

    /// Members whose keys the reader has checked to be distinct.
    init(distinctMembers members: [Member]) {
        self.members = members
    }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// A key's value. A new key is appended, an existing one keeps its position, nil removes it.
    public subscript(_ key: String) -> JSONValue? {
        get { members.first { $0.key.isExactly(key) }?.value }
        set {
            if let newValue {
                append(key, newValue)
            } else {
                members.removeAll { $0.key.isExactly(key) }
            }
        }
    }

    /// Appends a member, or replaces the value of an existing key.
    public mutating func append(_ key: String, _ value: JSONValue) {
        let member = Member(key: key, value: value)
        if let index = members.firstIndex(where: { $0.key.isExactly(key) }) {
            members[index] = member
        } else {
            members.append(member)
        }
    }
}
