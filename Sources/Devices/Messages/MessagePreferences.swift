public import Contracts
import LightningCoding

/// What an owner wants to be told:
/// `{"push":true,"types":{"payment_received":"alert"},"quiet":{"from":"22:00","to":"07:00","tz":"Europe/Oslo","except":["security"]}}`.
public struct MessagePreferences: Hashable, Sendable {
    /// Whether devices are told at all; the notification centre has every message in any case.
    public var isPushed: Bool
    /// How devices are told of a type; alerts unless something else is chosen.
    public private(set) var types: [MessageType: Way]
    /// When there are no alerts; nil for never.
    public var quiet: Quiet?

    /// How devices are told of a message.
    public enum Way: String, CaseIterable, Hashable, Sendable {
        /// The person sees and hears it.
        case alert
        /// The app learns of it.
        case silent
        /// Not at all.
        case off
    }

    /// Hours without alerts.
    public struct Quiet: Hashable, Sendable {
        /// The hours.
        public let hours: QuietHours
        /// The name of the time zone in which they are meant.
        public let zone: ZoneName
        /// The types that they do not concern.
        public let except: Set<MessageType>

        /// Creates hours.
        public init(_ hours: QuietHours, in zone: ZoneName, except: Set<MessageType> = []) {
            self.hours = hours
            self.zone = zone
            self.except = except
        }
    }

    /// Everything is told, at any time.
    public init() {
        isPushed = true
        types = [:]
    }

    /// The most types that may be chosen for.
    public static let mostTypes = 50

    /// Chooses how devices are told of a type. Of security they are always alerted.
    public mutating func choose(_ way: Way, for type: MessageType) {
        types[type] = type == .security ? nil : way
    }

    /// How devices are told of a type.
    public func way(for type: MessageType) -> Way {
        if type == .security { return .alert }
        return isPushed ? types[type] ?? .alert : .off
    }
}

/// The name of a time zone: `Europe/Oslo`. It is also the path of its file, so that nothing but letters, digits, `_ + -`
/// and single slashes is accepted.
public struct ZoneName: Hashable, Sendable, CustomStringConvertible {
    /// The characters.
    public let text: String

    /// Reads a name; nil when it is invalid.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 64, (1...3).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isAllowed) })
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The characters.
    public var description: String { text }
}
