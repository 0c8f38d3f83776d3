import LightningCoding
public import Contracts

extension PhoenixdBackend {
    /// Every payment that the node has received, in order of completion, by `payments/incoming`, which is called at
    /// every tick and whenever a webhook reports a payment.
    public func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        let feed = SettlementFeed(after: cursor, of: self)
        return AsyncThrowingStream { try await feed.next() }
    }

    /// Ten minutes ago by our clock: later payments are listed later or read again.
    public func presentEnd() async throws(BackendFault) -> SettlementCursor? {
        ListingCursor(present: now).cursor
    }

    /// In milliseconds since 1970, at the end of the second.
    var now: UInt64 {
        let seconds = clock().seconds
        return seconds < UInt64.max / 1000 ? seconds * 1000 + 999 : .max
    }
}
