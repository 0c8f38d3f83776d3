package import LightningCoding
package import LightningCrypto
import ResponderModel

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

/// What a push message carries encrypted:
/// `{"v":1,"cipher":"<base64>","iv":"<hex>","tag":"<hex>","publicKey":"<hex>"}`, without `v` in the legacy format.
package struct WakeContainer: Hashable, Sendable {
    private let format: WakeFormat
    let sealed: SealedPayload

    /// The longest readable ciphertext in bytes: a push message has at most 4,096 bytes.
    private static let maximumCiphertext = 4096

    /// Encrypts a message for a device.
    ///
    /// - Parameters:
    ///   - plaintext: the message.
    ///   - device: the public key that the device has registered.
    ///   - random: draws a key, then a nonce, for this message only.
    package init(
        sealing plaintext: [UInt8], for device: PublicKey, random: RandomSource
    ) throws(CryptoFault) {
        format = .current
        let ephemeral = try SecretKey(random: random)
        sealed = try SealedPayload(
            sealing: plaintext, for: device, purpose: format.purpose, ephemeral: ephemeral,
            nonce: random(format.nonceCount))
    }

    init(_ members: JSONMembers<WakeFault>, as format: WakeFormat) throws(WakeFault) {
        if format == .current, try members.unsigned("v") != 1 { throw .version }
        self.format = format
        let cipher = try members.parsed("cipher") { try Base64.decode($0) }
        guard cipher.count <= Self.maximumCiphertext else { throw members.fault("cipher") }
        sealed = SealedPayload(
            ciphertext: cipher,
            nonce: try Self.hexadecimal("iv", of: format.nonceCount, in: members),
            tag: try Self.hexadecimal("tag", of: 16, in: members),
            sender: try members.parsed("publicKey") { try PublicKey(hexadecimal: $0) })
    }

    /// The message.
    ///
    /// - Throws: `authentication`.
    func opened(with device: SecretKey) throws(WakeFault) -> [UInt8] {
        try rethrowing(sealed.opened(with: device, purpose: format.purpose), as: WakeFault.authentication)
    }

    var json: JSONObject {
        [
            "v": 1, "cipher": .string(Base64.encode(sealed.ciphertext)),
            "iv": .string(Hexadecimal.encode(sealed.nonce)),
            "tag": .string(Hexadecimal.encode(sealed.tag)), "publicKey": .string(sealed.sender.hexadecimal),
        ]
    }

    private static func hexadecimal(
        _ key: String, of count: Int, in members: JSONMembers<WakeFault>
    ) throws(WakeFault) -> [UInt8] {
        let bytes = try members.parsed(key) { try Hexadecimal.decode($0) }
        guard bytes.count == count else { throw members.fault(key) }
        return bytes
    }
}

/// The two formats in which a push message carries something encrypted for a device: version 0 is deployed in Bitkit's
/// apps, and only read here; version 1 is what its gateway sends now.
enum WakeFormat: Hashable, Sendable {
    /// Without acknowledgement.
    case legacy
    /// With an id that the device acknowledges.
    case current

    /// What both sides hash into the key.
    var purpose: String {
        switch self {
        case .legacy: "bitkit-notifications"
        case .current: "wake-v1"
        }
    }

    /// The length of the nonce in bytes.
    var nonceCount: Int {
        switch self {
        case .legacy: 16
        case .current: 12
        }
    }
}

package enum WakeFault: JSONMemberFault, Hashable, Sendable {
    /// It is not JSON.
    case json(JSONFault)
    /// A member is missing or malformed.
    case member(String, JSONMemberProblem)
    /// It carries neither a wake nor a fallback alert.
    case noWake
    /// It is of a version other than 1.
    case version
    /// It was encrypted for another key, or modified.
    case authentication
    /// What was encrypted is not JSON.
    case plaintext

    package init(member path: String, _ problem: JSONMemberProblem) { self = .member(path, problem) }
}

extension WakeFault: ReadableFault {
    package var reason: String {
        switch self {
        case .json(let fault): "the push message is not JSON: \(fault.reason)"
        case .member(let path, let problem): DeviceMemberFault(member: path, problem).reason
        case .noWake: "the push message carries neither a wake nor a fallback alert"
        case .version: "the wake is of an unknown version; this software knows version 1"
        case .authentication: "the wake was encrypted for another key, or was modified"
        case .plaintext: "what the wake encrypts is not a message of its version"
        }
    }
}
