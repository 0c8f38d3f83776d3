public import Receiving

extension LNDBackend {
    /// Every payment that the node has received, in its order, by `SubscribeInvoices`; the cursor is its `settle_index`.
    public func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        let feed = SettlementFeed(after: cursor, of: self)
        return AsyncThrowingStream { try await feed.next() }
    }
}
