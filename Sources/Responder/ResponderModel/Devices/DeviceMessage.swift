package import LightningCoding
package import LightningCrypto

/// Something that a person is told, on all their devices and in the notification center.
package struct DeviceMessage: Hashable, Sendable {
    package let content: Content
    /// Its place among the messages of its owner, counted from 1.
    package let sequence: UInt64
    /// When it was read; nil while it is unread.
    package let readAt: UnixTime?

    package struct Content: Hashable, Sendable {
        /// Identifies it everywhere: who has seen the id, has seen the message.
        package let id: MessageID
        package let owner: PublicKey
        package let type: MessageType
        package let priority: Priority
        package let title: String
        package let body: String
        /// What opens when it is tapped.
        package let link: Link?
        package let createdAt: UnixTime
        /// No device is told of it later; the notification center keeps it.
        package let expiresAt: UnixTime

        /// The most that are kept for an owner; beyond that the oldest go.
        package static let mostOfOwner = 1_000
        /// The longest title and body in bytes; what is longer is cut.
        package static let longest = (title: 120, body: 1000)

        /// Creates a content. U+0000, which not every ledger can store, becomes U+FFFD.
        package init(
            id: MessageID, owner: PublicKey, type: MessageType, priority: Priority, title: String, body: String,
            link: Link? = nil, createdAt: UnixTime, expiresAt: UnixTime
        ) {
            self.id = id
            self.owner = owner
            self.type = type
            self.priority = priority
            self.title = title.replacingZero.cut(to: Self.longest.title)
            self.body = body.replacingZero.cut(to: Self.longest.body)
            self.link = link
            self.createdAt = createdAt
            self.expiresAt = expiresAt
        }
    }

    package enum Priority: String, CaseIterable, Hashable, Sendable {
        /// At once, with a sound, through a focus mode.
        case high
        /// At once.
        case normal
        /// In the notification center, and fetched by devices when they fetch something else.
        case low
    }

    /// A place in an app, which knows how to open it: never a URL, since what comes from outside could lead anywhere.
    package struct Link: Hashable, Sendable {
        /// The kind of place: `payment`.
        package let type: MessageType
        /// Which one: 1 to 128 visible ASCII characters.
        package let target: String

        package init?(type: MessageType, target: String) {
            guard target.isVisibleASCII(upTo: 128) else { return nil }
            self.type = type
            self.target = target
        }
    }

    package init(_ content: Content, sequence: UInt64, readAt: UnixTime?) {
        self.content = content
        self.sequence = sequence
        self.readAt = readAt
    }
}

/// The id of a message: 1 to 64 characters of `a-z 0-9 -`, such as a UUID.
package struct MessageID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard text.isWord(upTo: 64, or: "-") else { return nil }
        self.text = text
    }

    /// The id of the message about a payment: the same however often the payment is reported.
    package init(payment hash: PaymentHash) { text = hash.hexadecimal }

    package var description: String { text }
}

/// A kind of message: 1 to 40 characters of `a-z 0-9 _`.
package struct MessageType: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard text.isWord(upTo: 40, or: "_") else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    package static let paymentReceived = MessageType(unchecked: "payment_received")
    /// A payment, as what a link leads to.
    package static let payment = MessageType(unchecked: "payment")
    /// Something about the safety of an account, which cannot be switched off.
    package static let security = MessageType(unchecked: "security")

    package static let announcement = MessageType(unchecked: "announcement")

    package var description: String { text }
}

extension String {
    /// The beginning, in whole characters, of so many bytes at the most.
    fileprivate func cut(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var start = ""
        for character in self {
            guard start.utf8.count + character.utf8.count <= count else { break }
            start.append(character)
        }
        return start
    }
}

/// A device to be told of a message. All else is in the message, until the device has shown it.
package struct DeviceMessageJob: OutboxJob, Hashable {
    package let device: DeviceID
    /// The place of the message among those of the device's owner; 1 for the first.
    package let sequence: UInt64

    package init(_ device: DeviceID, of sequence: UInt64) {
        self.device = device
        self.sequence = sequence
    }

    package init?(_ work: OutboxWork) {
        guard let json = work.payloadJSON, let device = json["device"]?.string.flatMap({ DeviceID($0) }),
            let sequence = json["sequence"]?.uint64, sequence > 0
        else { return nil }
        self.init(device, of: sequence)
    }

    package static let kind = OutboxKind.deviceMessage
    package var id: OutboxID { OutboxID(unchecked: "message-\(device)-\(sequence)") }

    /// `{"device":"…","sequence":7}`
    package var payload: [UInt8] {
        JSONValue.object(["device": .string(device.description), "sequence": .unsigned(sequence)]).serializedBytes()
    }
}

extension OutboxWork {
    /// Telling a device of a message, until the message expires.
    package init(telling device: DeviceID, of message: DeviceMessage) {
        self.init(
            DeviceMessageJob(device, of: message.sequence), at: message.content.createdAt,
            deadline: message.content.expiresAt)
    }
}

/// How the devices of an owner learn of a message. Wakes that a payer waits for are none: they go at once, always.
package enum MessageDelivery: Hashable, Sendable {
    /// By a push message of its own, seen and heard.
    case alert
    /// By a push message of its own, of which only the app learns.
    case silent
    /// It is pending: a device finds it when it fetches, after the push message of another one, or when it is told to catch up.
    case fetched
    /// Only the notification center has it.
    case none

    /// Whether it has a push message of its own.
    package var isPushed: Bool { self == .alert || self == .silent }
}
