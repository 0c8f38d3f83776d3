public import Contracts
import LightningCoding
public import LightningCrypto

extension DeviceCentre {
    /// The device of that id, or nil.
    public func device(_ id: DeviceID) async throws(CentreRefusal) -> Device? {
        try await awaiting(await ledger.device(id), as: CentreRefusal.ledger)
    }

    /// A page of the messages of an owner, newest first, as values.
    public func page(_ query: MessageQuery) async throws(CentreRefusal) -> Page<DeviceMessage> {
        try await awaiting(await ledger.messages(query), as: CentreRefusal.ledger)
    }

    /// Looks for what a listener to an owner's messages must be told.
    public func look(_ feed: inout MessageFeed, of owner: PublicKey) async throws(CentreRefusal) -> [MessageEvent] {
        let count = try await count(of: owner)
        let newest =
            feed.wantsMessages(count) ? try await page(MessageQuery(of: owner, limit: MessageFeed.limit)).elements : []
        return feed.look(count, newest: newest)
    }
}
