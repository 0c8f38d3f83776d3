public import LightningCoding

/// What an app is woken for:
/// `{"v":1,"id":"…","topic":"blocktank.incomingHtlc","urgency":"background","deadline":<s>,"payload":…}`.
public struct WakeMessage: Hashable, Sendable {
    /// Its id, the same in every push message about it; the app acknowledges it, and ignores one that it has seen.
    public let id: WakeID
    /// What it is about.
    public let topic: WakeTopic
    /// How it reaches the person.
    public let urgency: Urgency
    /// When it stops being useful.
    public let deadline: UnixTime
    /// What the app needs to handle it; nil when the topic says it all.
    public let payload: JSONValue?

    /// How a wake reaches the person.
    public enum Urgency: String, CaseIterable, Hashable, Sendable {
        /// Silently; an alert follows when the app does not handle it.
        case background
        /// As an alert.
        case alert
        /// As an alert that breaks through a focus mode.
        case timeSensitive = "time_sensitive"
    }

    /// Creates a message.
    public init(id: WakeID, topic: WakeTopic, urgency: Urgency, deadline: UnixTime, payload: JSONValue?) {
        self.id = id
        self.topic = topic
        self.urgency = urgency
        self.deadline = deadline
        self.payload = payload
    }

    /// Reads a decrypted message.
    public init(_ plaintext: [UInt8]) throws(WakeFault) {
        let members = try JSONMembers<WakeFault>(decrypted: plaintext)
        guard try members.unsigned("v") == 1 else { throw .version }
        id = try members.parsed("id", WakeID.init)
        topic = try members.parsed("topic", WakeTopic.init)
        urgency = try members.parsed("urgency") { Urgency(exactly: $0) }
        deadline = UnixTime(try members.unsigned("deadline"))
        payload = members.optional("payload")
    }

    /// What is encrypted.
    public var plaintext: [UInt8] {
        JSONValue.object([
            "v": 1, "id": .string(id.text), "topic": .string(topic.text), "urgency": .string(urgency.rawValue),
            "deadline": .unsigned(deadline.seconds), "payload": payload ?? .null,
        ]).serializedBytes()
    }
}

/// A message of the legacy format: `{"source":"blocktank","type":"incomingHtlc","payload":…,"createdAt":"<ISO 8601>"}`.
public struct LegacyWakeMessage: Hashable, Sendable {
    /// Who sends it: the part of a topic before the dot.
    public let source: String
    /// What it is about: the part after the dot.
    public let type: String
    /// What the app needs to handle it.
    public let payload: JSONValue
    /// When it was made, as text.
    public let createdAt: String

    /// Reads a decrypted message.
    public init(_ plaintext: [UInt8]) throws(WakeFault) {
        let members = try JSONMembers<WakeFault>(decrypted: plaintext)
        source = try members.text("source")
        type = try members.text("type")
        payload = try members.value("payload")
        createdAt = try members.text("createdAt")
    }
}

extension JSONMembers<WakeFault> {
    fileprivate init(decrypted plaintext: [UInt8]) throws(WakeFault) {
        let value = try rethrowing(JSONValue(parsing: plaintext), as: WakeFault.plaintext)
        try self.init(value)
    }
}
