package import BlindedPaths
package import Bolt12
package import LNURL
package import LightningCrypto
package import OnionMessages
package import Platform

/// Answers the payers of one recipient, who has been looked up: LNURL-pay (LUD-06, LUD-16), LNURL-verify (LUD-21) and invoice
/// requests (BOLT 12).
package protocol PayResponder: Sendable {
    var kind: RecipientKind { get }
    /// For whom invoices are counted; nil where nobody has that key.
    var account: AccountID? { get }

    /// The limits and metadata, and where to request the invoice.
    ///
    /// - Returns: also for how many seconds another service may show them; nil when that is not known.
    func payRequest(for payer: Payer) async throws(Refusal) -> (request: PayRequest, maxAge: UInt64?)

    /// An invoice for that amount, durable before this returns.
    func payInvoice(
        _ query: CallbackQuery, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> (invoice: PayInvoice, paymentHash: PaymentHash)

    /// Whether an invoice issued over LNURL for the recipient has been paid. The preimage is included only once the payment is
    /// settled.
    func verify(
        _ paymentHash: PaymentHash, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> VerifyResponse

    /// A signed BOLT12 invoice, durable before this returns.
    ///
    /// - Parameters:
    ///   - bytes: the request's TLV stream.
    ///   - offer: the offer that the request claims to be for; nil when it is not known.
    ///   - issued: what the ledger holds of it; nil when that has not been read.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, issued: IssuedOffer?, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice
}

package enum RecipientKind: Hashable, Sendable {
    /// An account: our own nodes receive for it.
    case account
    /// An app user: each answer is asked of a device of that key's owner.
    case registered(PublicKey)
    case unknown

    package var isRegistered: Bool { if case .registered = self { true } else { false } }
}

/// What becomes of an onion message that is addressed to our own key.
package enum MessageAnswer: Hashable, Sendable {
    /// Send this; `refusal` says why it is not an invoice.
    case reply(MessageContent, over: BlindedPath, refusal: RequestRefusal?)
    case silence(MessageSilence)
}

package enum MessageSilence: Error, Hashable, Sendable {
    case notARequest
    case noReplyPath
    /// It came over a path that is not ours, or that was modified.
    case unknownPath
    /// A reply would reveal whom an offer belongs to.
    case notForUs(RequestRefusal)
    /// The same request may be answered later; an `invoice_error` would make the payer give up for good.
    case notNow(RequestRefusal)

    package var reason: String {
        switch self {
        case .notARequest: "it is not an invoice request"
        case .noReplyPath: "it has no reply path"
        case .unknownPath: "it came over an unknown or modified path"
        case .notForUs(let refusal), .notNow(let refusal): refusal.cause ?? refusal.reason
        }
    }
}

package struct Payer: Sendable {
    /// Where from; nil for whoever was not reached over a connection of its own.
    package let network: ClientNetwork?
    /// Over which connection; nil where that is not known.
    package let connection: PayerConnection?
    /// Of one who has asked another service, which has notified us; nil for one who asks here.
    package let notified: Notified?

    package init(
        from network: ClientNetwork? = nil, over connection: PayerConnection? = nil, notified: Notified? = nil
    ) {
        self.network = network
        self.connection = connection
        self.notified = notified
    }

    /// What another service's payer is answered by: its URLs carry no token of ours, and it passes on neither payer data nor
    /// an action.
    package struct Notified: Sendable {
        /// Seconds for which it may show the limits and metadata to further payers.
        package let lifetime: UInt64
        /// Identifies a repeated request: it gets the same invoice while that can be paid.
        package let request: RequestDigest?

        package init(lifetime: UInt64, request: RequestDigest? = nil) {
            self.lifetime = lifetime
            self.request = request
        }
    }
}

/// The connection over which a payer has asked: once it is closed, nobody waits for the answer.
package final class PayerConnection: Sendable {
    private enum State {
        /// What to call when it is closed, by a number each.
        case open(waiting: [UInt64: @Sendable () -> Void], next: UInt64)
        case closed
    }

    private let state = Guarded(State.open(waiting: [:], next: 0))

    package init() {}

    /// Notes that the payer has closed it, in one direction or in both.
    package func close() {
        let waiting = state.withLock { state in
            guard case .open(let waiting, _) = state else { return [UInt64: @Sendable () -> Void]() }
            state = .closed
            return waiting
        }
        for onClose in waiting.values { onClose() }
    }

    /// Waits for an answer, and calls back if the payer closes the connection meanwhile or has closed it.
    package func waiting<Answer: Sendable>(
        for answer: () async -> Answer, onClose: @escaping @Sendable () -> Void
    ) async -> Answer {
        let number = state.withLock { state -> UInt64? in
            guard case .open(var waiting, let next) = state else { return nil }
            waiting[next] = onClose
            state = .open(waiting: waiting, next: next &+ 1)
            return next
        }
        guard let number else {
            onClose()
            return await answer()
        }
        defer {
            state.withLock { state in
                guard case .open(var waiting, let next) = state else { return }
                waiting[number] = nil
                state = .open(waiting: waiting, next: next)
            }
        }
        return await answer()
    }
}
