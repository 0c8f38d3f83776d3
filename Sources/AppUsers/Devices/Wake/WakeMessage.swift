package import LightningCoding

/// What an app is woken for:
/// `{"v":1,"id":"…","topic":"blocktank.incomingHtlc","urgency":"background","deadline":<s>,"payload":…}`.
package struct WakeMessage: Hashable, Sendable {
    /// Its id, the same in every push message about it; the app acknowledges it, and ignores one that it has seen.
    package let id: WakeID
    package let topic: WakeTopic
    package let urgency: Urgency
    package let deadline: UnixTime
    /// What the app needs to handle it; nil when the topic says it all.
    package let payload: JSONValue?

    package enum Urgency: String, CaseIterable, Hashable, Sendable {
        /// Silently; an alert follows when the app does not handle it.
        case background
        case alert
        case timeSensitive = "time_sensitive"
    }

    package init(id: WakeID, topic: WakeTopic, urgency: Urgency, deadline: UnixTime, payload: JSONValue?) {
        self.id = id
        self.topic = topic
        self.urgency = urgency
        self.deadline = deadline
        self.payload = payload
    }

    package init(_ plaintext: [UInt8]) throws(WakeFault) {
        let members = try JSONMembers<WakeFault>(decrypted: plaintext)
        guard try members.unsigned("v") == 1 else { throw .version }
        id = try members.parsed("id", WakeID.init)
        topic = try members.parsed("topic", WakeTopic.init)
        urgency = try members.parsed("urgency") { Urgency(exactly: $0) }
        deadline = UnixTime(try members.unsigned("deadline"))
        payload = members.optional("payload")
    }

    package var plaintext: [UInt8] {
        JSONValue.object([
            "v": 1, "id": .string(id.text), "topic": .string(topic.text), "urgency": .string(urgency.rawValue),
            "deadline": .unsigned(deadline.seconds), "payload": payload ?? .null,
        ]).serializedBytes()
    }
}

/// A message of the legacy format: `{"source":"blocktank","type":"incomingHtlc","payload":…,"createdAt":"<ISO 8601>"}`.
package struct LegacyWakeMessage: Hashable, Sendable {
    /// Who sends it: the part of a topic before the dot.
    package let source: String
    /// What it is about: the part after the dot.
    package let type: String
    package let payload: JSONValue
    /// When it was made, as text.
    package let createdAt: String

    package init(_ plaintext: [UInt8]) throws(WakeFault) {
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

/// The id of a wake: 1 to 64 visible ASCII characters, as a rule a UUID of version 7.
package struct WakeID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Reads an id; nil when it is invalid.
    package init?(_ text: String) {
        guard text.isVisibleASCII(upTo: 64) else { return nil }
        self.text = text
    }

    package var description: String { text }
}

/// What a wake is about, such as `blocktank.incomingHtlc`: 1 to 64 visible ASCII characters.
package struct WakeTopic: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Reads a topic; nil when it is invalid.
    package init?(_ text: String) {
        guard text.isVisibleASCII(upTo: 64) else { return nil }
        self.text = text
    }

    package var description: String { text }
}

extension String {
    /// Whether it has 1 to `count` characters from `!` to `~`.
    func isVisibleASCII(upTo count: Int) -> Bool {
        (1...count).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
