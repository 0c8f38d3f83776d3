public import Contracts
import LightningCoding

/// What an owner wants to be told: `{"push":true,"types":{"payment_received":"alert"}}`.
public struct MessagePreferences: Hashable, Sendable {
    /// Whether devices are told at all; the notification centre has every message in any case.
    public var isPushed: Bool
    /// How devices are told of a type; alerts unless something else is chosen.
    public private(set) var types: [MessageType: Way]

    /// How devices are told of a message.
    public enum Way: String, CaseIterable, Hashable, Sendable {
        /// The person sees and hears it.
        case alert
        /// The app learns of it.
        case silent
        /// Not at all.
        case off
    }

    /// Everything is told.
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

    /// How devices are told of a message. One of low priority has no push message of its own.
    public func delivery(of message: DeviceMessage.Content) -> MessageDelivery {
        switch way(for: message.type) {
        case .off: .none
        case _ where message.priority == .low: .fetched
        case .alert: .alert
        case .silent: .silent
        }
    }
}
