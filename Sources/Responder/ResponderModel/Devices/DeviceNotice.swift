import LightningCoding

/// The payload of work that tells a device of a message: `{"device":"…","sequence":7}`. The rest is in the message, until
/// the device has shown it.
package struct DeviceNotice: Hashable, Sendable {
    /// Which device is told.
    package let device: DeviceID
    /// The place of the message among those of the device's owner.
    package let sequence: UInt64

    package init(_ device: DeviceID, of sequence: UInt64) {
        self.device = device
        self.sequence = sequence
    }

    /// Reads a payload; nil when it is invalid.
    package init?(payload: [UInt8]) {
        guard let json = try? JSONValue(parsing: payload),
            let device = json["device"]?.string.flatMap({ DeviceID($0) }),
            let sequence = json["sequence"]?.uint64
        else { return nil }
        self.init(device, of: sequence)
    }

    package var payload: [UInt8] {
        JSONValue.object(["device": .string(device.description), "sequence": .unsigned(sequence)]).serializedBytes()
    }
}

extension OutboxWork {
    /// Telling a device of a message, until the message expires.
    package init(telling device: DeviceID, of message: DeviceMessage) {
        self.init(
            id: .message(message.sequence, to: device), kind: .deviceMessage, account: nil,
            payload: DeviceNotice(device, of: message.sequence).payload, createdAt: message.content.createdAt,
            deadline: message.content.expiresAt, state: .pending(dueAt: message.content.createdAt))
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
