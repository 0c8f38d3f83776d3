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

        /// Creates a link; nil when the target is invalid.
        package init?(type: MessageType, target: String) {
            guard (1...128).contains(target.utf8.count), target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                return nil
            }
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

    /// Reads an id; nil when it is invalid.
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

    /// Reads a type; nil when it is invalid.
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
