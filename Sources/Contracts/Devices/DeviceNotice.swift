import LightningCoding

/// The payload of work that tells a device of a message: `{"device":"…","sequence":7}`. The rest is in the message, until
/// the device has shown it.
public struct DeviceNotice: Hashable, Sendable {
    /// Which device is told.
    public let device: DeviceID
    /// The place of the message among those of the device's owner.
    public let sequence: UInt64

    /// Creates a notice.
    public init(_ device: DeviceID, of sequence: UInt64) {
        self.device = device
        self.sequence = sequence
    }

    /// Reads a payload; nil when it is invalid.
    public init?(payload: [UInt8]) {
        guard let json = try? JSONValue(parsing: payload),
            let device = json["device"]?.string.flatMap({ DeviceID($0) }),
            let sequence = json["sequence"]?.uint64
        else { return nil }
        self.init(device, of: sequence)
    }

    /// The payload.
    public var payload: [UInt8] {
        JSONValue.object(["device": .string(device.description), "sequence": .unsigned(sequence)]).serializedBytes()
    }
}

extension OutboxWork {
    /// Telling a device of a message, until the message expires.
    public init(telling device: DeviceID, of message: DeviceMessage) {
        self.init(
            id: .message(message.sequence, to: device), kind: .deviceMessage, account: nil,
            payload: DeviceNotice(device, of: message.sequence).payload, createdAt: message.content.createdAt,
            deadline: message.content.expiresAt, state: .pending(dueAt: message.content.createdAt))
    }
}
