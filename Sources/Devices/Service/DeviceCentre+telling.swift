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
            case .collected: MessageHour(at: message.createdAt, of: message.owner).end
            case .none: nil
            }
        return try await awaiting(await ledger.add(message, toldFrom: moment), as: CentreRefusal.ledger)
    }

    /// The unread messages of low priority whose hours are over, of which a device is told together with one of them.
    public func batch(with message: DeviceMessage, for device: DeviceID) async throws(CentreRefusal) -> MessageBatch {
        let (now, owner) = (clock(), message.content.owner)
        let off = try await preferences(of: owner).types.filter { $0.value == .off }
        let unread = try await awaiting(
            await ledger.unread(
                for: device, of: .low, before: MessageHour(at: now, of: owner).begin, except: Set(off.keys), at: now,
                limit: MessageBatch.most),
            as: CentreRefusal.ledger)
        return MessageBatch(of: message, and: unread)
    }
}
