public import LightningCoding

/// The handled notifications, and the outbox from which accepted ones and other work are carried out.
public protocol EventLedger: Outbox {
    /// Records how a notification was handled.
    func record(_ event: EventRecord) async throws(LedgerFault)

    /// Records how an accepted notification was handled and removes its work, in one transaction. Writes nothing when
    /// the work is gone: someone else has finished it.
    func record(_ event: EventRecord, finishing id: OutboxID) async throws(LedgerFault)

    /// A page of handled notifications, newest first.
    func events(_ query: EventQuery) async throws(LedgerFault) -> EventPage

    /// Deletes handled notifications older than a moment, and all but the newest ones; returns how many.
    ///
    /// - Throws: `leaseLost`, and then nothing is deleted.
    func pruneEvents(
        before moment: UnixTime, keeping newest: UInt64, under lease: Lease
    ) async throws(LedgerFault) -> Int
}
