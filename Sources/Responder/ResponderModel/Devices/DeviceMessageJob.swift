import LightningCoding

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
