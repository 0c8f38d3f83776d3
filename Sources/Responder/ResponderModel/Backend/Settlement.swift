package import LightningCoding
package import LightningCrypto

package struct Settlement: Equatable, Sendable {
    package let paymentHash: PaymentHash
    package let preimage: Preimage
    /// The amount received, in msat; may differ from the invoice's (BOLT 4 allows up to twice).
    package let received: Millisatoshi
    /// When the node recorded it as settled.
    package let settledAt: UnixTime
    /// The position in the node's stream of settlements, after this one.
    package var cursor: SettlementCursor
    /// The node's own offer that was paid; nil for the payment of an invoice that was ordered.
    package let offered: OfferedPayment?

    package init(
        paymentHash: PaymentHash,
        preimage: Preimage,
        received: Millisatoshi,
        settledAt: UnixTime,
        cursor: SettlementCursor,
        offered: OfferedPayment? = nil
    ) {
        self.paymentHash = paymentHash
        self.preimage = preimage
        self.received = received
        self.settledAt = settledAt
        self.cursor = cursor
        self.offered = offered
    }

    /// What is impossible about it: a preimage that does not match the hash, more than all bitcoin, a time after the
    /// year 9999; nil when nothing is.
    package var contradiction: BackendFault? {
        if preimage.paymentHash != paymentHash { return .malformedAnswer("a preimage of another hash") }
        if received > .maximum { return .malformedAnswer("an amount above all bitcoin") }
        if settledAt > .lastSecond { return .malformedAnswer("a time after the year 9999") }
        return nil
    }
}

/// A position in a node's stream of settlements, opaque to all but the backend that made it: CLN's `pay_index`, LND's
/// `settle_index`, the embedded node's counter, as text.
package struct SettlementCursor: Hashable, Sendable {
    /// The backend's own notation.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// A payment whose report cannot be read, or is impossible.
///
/// It takes its place in `ReceiveBackend.settlements(after:)`, so that one such payment does not block later ones.
package struct UnreadableSettlement: Error, Hashable, Sendable {
    /// The hash of the invoice that was paid; nil when not even that can be read.
    package let paymentHash: PaymentHash?
    package let fault: BackendFault
    /// The position in the node's stream of settlements, after this one; where its own cannot be read, after the one
    /// before; nil when that is the beginning.
    package let cursor: SettlementCursor?

    package init(paymentHash: PaymentHash?, _ fault: BackendFault, cursor: SettlementCursor?) {
        self.paymentHash = paymentHash
        self.fault = fault
        self.cursor = cursor
    }
}

/// A node's payments in its order: each settlement, or what is wrong with its report. Nil where nothing was found yet in a
/// part of the node's records and the search goes on: silence means that all was read.
package typealias SettlementStream = AsyncThrowingStream<Result<Settlement?, UnreadableSettlement>, any Error>

extension UnreadableSettlement: ReadableFault {
    package var reason: String { fault.reason }
}

/// Where a node's count of settlements stands against a stored cursor.
package enum CursorState: Hashable, Sendable {
    /// The count has reached it: later settlements come after it.
    case reached
    /// The count was reset, as after the node's database was lost and rebuilt. Later settlements might never appear
    /// after the cursor.
    case renumbered
    /// The node lists no settlement, as after it deleted them all, and does not tell its count. Reading from
    /// `beginning` misses none and repeats none.
    case nothingListed(beginning: SettlementCursor)
}

/// The state of an invoice's payment at its node. The preimage is available only once it is settled.
package enum PaymentStatus: Equatable, Sendable {
    case open
    case settled(at: UnixTime, received: Millisatoshi, preimage: Preimage)
    /// It was not paid, and no longer can be: it has expired or was canceled.
    case closed
}

/// Why an invoice was not settled by hand.
package enum SettlementFault: LedgerFaultConvertible, Hashable, Sendable {
    /// The invoice belongs to another node: only a payment settles it.
    case notOnCommand(BackendName)
    case unknown
    case alreadySettled
    case expired
    case canceled
    /// The node failed; the text is for the operator.
    case failed(String)

    package static func ledger(_ fault: LedgerFault) -> SettlementFault { .failed(fault.reason) }

    package var reason: String {
        switch self {
        case .notOnCommand(let name): "the invoice belongs to \(name); only a payment settles it"
        case .unknown: "the node does not know the invoice"
        case .alreadySettled: "the invoice is already settled"
        case .expired: "the invoice has expired"
        case .canceled: "the invoice was canceled"
        case .failed(let reason): "the node failed: \(reason)"
        }
    }
}
