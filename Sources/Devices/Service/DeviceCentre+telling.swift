public import Contracts
import LightningCoding

extension DeviceCentre {
    /// Adds a message, which is told to the owner's devices as the owner wants; nothing happens when it is known.
    @discardableResult
    public func tell(_ message: DeviceMessage.Content) async throws(CentreRefusal) -> DeviceMessage {
        let delivery = try await delivery(of: message)
        return try await awaiting(await ledger.add(message, as: delivery), as: CentreRefusal.ledger)
    }

    /// How the devices of an owner are told of a message.
    public func delivery(of message: DeviceMessage.Content) async throws(CentreRefusal) -> MessageDelivery {
        try await preferences(of: message.owner).delivery(of: message)
    }
}
