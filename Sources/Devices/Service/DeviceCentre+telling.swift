public import Contracts
import LightningCoding
import LightningCrypto

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

    /// Tells every owner of a device something, with low priority. Returns how many owners there are.
    ///
    /// - Parameter text: up to `DeviceMessage.Content.longest.body` bytes.
    public func announce(_ text: String) async throws(CentreRefusal) -> Int {
        guard !text.isEmpty, text.utf8.count <= DeviceMessage.Content.longest.body else {
            throw .request(DeviceMemberFault(member: "text", .malformed))
        }
        var owners: Set<PublicKey> = []
        var mark: PageMark?
        repeat {
            let page = try await awaiting(await ledger.devices(after: mark, limit: 1000), as: CentreRefusal.ledger)
            for owner in Set(page.elements.map(\.profile.owner)).subtracting(owners) {
                owners.insert(owner)
                guard let message = DeviceMessage.Content(announcing: text, to: owner, at: clock()) else { continue }
                try await tell(message)
            }
            mark = page.next
        } while mark != nil
        return owners.count
    }
}
