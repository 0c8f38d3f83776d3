public import Receiving

extension PhoenixdBackend {
    /// Every payment that the node has received, in the order in which they were completed, by `payments/incoming`, which is asked at
    /// every tick and whenever a webhook tells of a payment.
    public func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        let feed = SettlementFeed(after: cursor, of: self)
        return AsyncThrowingStream { try await feed.next() }
    }
}
