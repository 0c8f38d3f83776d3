public import Contracts
import LightningCoding

extension DeviceCentre {
    /// Adds a message, which is told to the owner's devices as the owner wants; nothing happens when it is known.
    @discardableResult
    public func tell(_ message: DeviceMessage.Content) async throws(CentreRefusal) -> DeviceMessage {
        let moment: UnixTime? =
            switch try await delivery(of: message) {
            case .alert(let notBefore): notBefore
            case .silent: clock()
            case .collected: MessageHour(at: clock(), of: message.owner).end
            case .none: nil
            }
        return try await awaiting(await ledger.add(message, toldFrom: moment), as: CentreRefusal.ledger)
    }

    /// What a device is told in place of a message of low priority whose hour is over; nil when a newer message stands for
    /// them all, or when all were read.
    public func batch(of message: DeviceMessage, for device: DeviceID) async throws(CentreRefusal) -> MessageBatch? {
        let (now, owner) = (clock(), message.content.owner)
        let begin = MessageHour(at: now, of: owner).begin
        let preferences = try await preferences(of: owner)
        func pending(after place: UInt64) async throws(CentreRefusal) -> [DeviceMessage] {
            let found = try await awaiting(
                await ledger.pending(for: device, of: .low, after: place, at: now, limit: MessageBatch.most),
                as: CentreRefusal.ledger)
            return found.filter { $0.content.createdAt < begin || $0.sequence == message.sequence }
                .filter { preferences.way(for: $0.content.type) != .off }
        }
        guard try await pending(after: message.sequence).isEmpty else { return nil }
        return MessageBatch(try await pending(after: 0) + [message])
    }
}
