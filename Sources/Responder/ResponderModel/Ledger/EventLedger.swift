package import LightningCoding
package import LightningCrypto

/// The handled notifications, and the outbox from which accepted ones and other work are carried out.
package protocol EventLedger: Outbox {
    func record(_ event: EventRecord) async throws(LedgerFault)

    /// Records how an accepted notification was handled and removes its work, in one transaction. Writes nothing when
    /// the work is gone: someone else has finished it.
    func record(_ event: EventRecord, finishing id: OutboxID) async throws(LedgerFault)

    /// A page of handled notifications, newest first.
    func events(_ query: EventQuery) async throws(LedgerFault) -> Page<EventRecord>

    /// Deletes handled notifications older than a moment, and all but the newest ones; returns how many.
    ///
    /// - Throws: `leaseLost`, and then nothing is deleted.
    func pruneEvents(
        before moment: UnixTime, keeping newest: UInt64, under lease: Lease
    ) async throws(LedgerFault) -> Int
}

package struct EventQuery: Hashable, Sendable {
    package var account: AccountID?
    package var after: PageMark?
    package var limit: Int

    package init(account: AccountID? = nil, after: PageMark? = nil, limit: Int = 50) {
        self.account = account
        self.after = after
        self.limit = min(max(limit, 1), 1000)
    }
}

/// A handled notification: its content, the answer, the timing and the delivery of the reply.
package struct EventRecord: Hashable, Sendable {
    package let receivedAt: UnixTime
    package let account: AccountID
    /// Its type: `lnurlpay_invoice`.
    package let type: String
    /// The kind of envelope: `template`, `event`, `push`, `encrypted`.
    package let envelope: String
    /// Its content: JSON, truncated to `maximumText` bytes.
    package let payload: String
    package let outcome: Outcome
    /// The answer: JSON without any preimage, truncated to `maximumText` bytes; nil when there was none.
    package let answer: String?
    package let paymentHash: PaymentHash?
    package var steps: [Step]
    /// The delivery of the reply; nil when there was none to post.
    package var delivery: Delivery?

    /// The longest stored text of a notification and of its answer, in bytes.
    package static let maximumText = 4096

    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        case answered
        /// It was answered with an error or not at all, because it breaks a rule or names something that does not
        /// exist.
        case refused
        /// It was handled; no answer is expected.
        case done
        case failed
        case outOfTime = "out-of-time"
        case ignored
    }

    package struct Step: Hashable, Sendable {
        /// Its name: `answer`, `delivery`.
        package let name: String
        package let milliseconds: UInt64

        package init(_ name: String, milliseconds: UInt64) {
            self.name = name
            self.milliseconds = milliseconds
        }
    }

    package enum Delivery: String, CaseIterable, Hashable, Sendable {
        case taken
        /// It was rejected for good, or could not be delivered in time.
        case failed
        /// Unknown: after an attempt without a response, the service said that it was already answered.
        case uncertain
        case forbidden
        /// It is in the response to the webhook itself.
        case inResponse = "in-response"
    }

    /// Creates a record, truncating long texts. U+0000, which not every ledger can store, becomes U+FFFD.
    package init(
        receivedAt: UnixTime,
        account: AccountID,
        type: String,
        envelope: String,
        payload: String,
        outcome: Outcome,
        answer: String? = nil,
        paymentHash: PaymentHash? = nil,
        steps: [Step] = [],
        delivery: Delivery? = nil
    ) {
        self.receivedAt = receivedAt
        self.account = account
        self.type = type.replacingZero
        self.envelope = envelope
        self.payload = Self.cut(payload.replacingZero)
        self.outcome = outcome
        self.answer = (answer?.replacingZero).map(Self.cut)
        self.paymentHash = paymentHash
        self.steps = steps
        self.delivery = delivery
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumText else { return text }
        // A truncated character is dropped.
        var bytes = text.utf8.prefix(maximumText)
        while !bytes.isEmpty {
            if let start = String(bytes) { return start }
            bytes = bytes.dropLast()
        }
        return ""
    }
}
