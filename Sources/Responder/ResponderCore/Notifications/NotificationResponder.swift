import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
package import Platform
package import ResponderModel

/// Carries out notifications, and makes the replies. Posts nothing itself.
package struct NotificationResponder: Sendable {
    let clock: MonotonicClock
    /// Who answers for each account, and acts on its events.
    package let responder: Responder
    private let handlers: [NotificationType: NotificationHandler]
    private let infoMaxAge: UInt64

    /// - Parameters:
    ///   - infoMaxAge: seconds for which the first LNURL-pay response may be cached. Changes of a description are delayed by
    ///     as much.
    ///   - handlers: answer the types that allow it (``NotificationType/allowsHandler``); others are never called.
    package init(
        _ responder: Responder,
        infoMaxAge: UInt64 = 60,
        handlers: [NotificationType: NotificationHandler] = [:],
        clock: MonotonicClock = .system
    ) {
        self.responder = responder
        self.infoMaxAge = infoMaxAge
        self.handlers = handlers.filter { $0.key.allowsHandler }
        self.clock = clock
    }

    /// Whether one that names no reply URL is answered in the response to its sender.
    package func answersInResponse(_ type: NotificationType) -> Bool {
        type == .invoiceRequest || type.isCustom && handlers[type] != nil
    }

    /// Handles a notification, finishing by the deadline whatever a node does.
    ///
    /// - Parameters:
    ///   - recipient: who answers for it; nil if that has to be looked up.
    ///   - deadline: when the reply must be ready; posting it takes additional time.
    package func handle(
        _ notification: ReceivedNotification, for account: AccountID, by recipient: (any PayResponder)? = nil,
        until deadline: MonotonicTime
    ) async -> NotificationResult {
        let receivedAt = responder.clock()
        let begin = clock.now()
        let steps = StepLog(clock: clock)
        let found =
            await clock.race(until: deadline) {
                await StepLog.$current.withValue(steps) {
                    await answer(notification, account, recipient, deadline)
                }
            } ?? outOfTime(notification)
        return NotificationResult(
            found, to: notification.type,
            record: EventRecord(
                receivedAt: receivedAt,
                account: account,
                type: notification.type.rawValue,
                envelope: notification.envelope.rawValue,
                payload: JSONValue.object(notification.payload).serialized(),
                outcome: found.outcome,
                answer: found.loggedReply,
                paymentHash: found.paymentHash,
                steps: steps.steps + [
                    EventRecord.Step("answer", milliseconds: (clock.now() - begin).wholeMilliseconds)
                ]
            ))
    }

    private func answer(
        _ notification: ReceivedNotification, _ account: AccountID, _ found: (any PayResponder)?,
        _ deadline: MonotonicTime
    ) async -> NotificationAnswer {
        if case .undecipherable(let fault) = notification.event {
            return NotificationAnswer(
                .none(.undecipherable(fault)), outcome: .ignored, news: .undecipherable)
        }
        if let handler = handlers[notification.type] { return await handler(notification, account, deadline) }
        let recipient: any PayResponder
        do throws(LedgerFault) {
            recipient = if let found { found } else { try await responder.payResponder(for: Recipient(account)) }
        } catch {
            return await refuse(notification, .ledger(error))
        }
        switch notification.event {
        case .payInfo(let callback):
            return await answering { () async throws(Refusal) in try await payInfo(callback, by: recipient) }
        case .payInvoice(let query, let template):
            return await answering(query.amount) { () async throws(Refusal) in
                try await payInvoice(
                    query, verify: template, notification.digest(of: query, template, for: account), by: recipient)
            }
        case .payVerify(let hash):
            return await answering { () async throws(Refusal) in try await payVerify(hash, by: recipient) }
        case .invoiceRequest(let bytes, let offer): return await offeredInvoice(bytes, offer, by: recipient)
        // Neither money nor swap of an app user is our nodes'.
        case _ where recipient.kind.isRegistered: return NotificationAnswer(.none(.notAsked), outcome: .ignored)
        case .backend(.swapUpdated(let id, let status)): return await swap(id, status, of: account)
        case .backend(let event): return await advanced(event, of: account)
        case .paymentReceived(let hash): return await arrival(of: hash, for: account)
        case .announcement: return .done()
        case .undecipherable, .other: return NotificationAnswer(.none(.unknownType), outcome: .ignored)
        }
    }

    /// Answers while it is unknown who answers for the account: nothing is ordered, and nobody is told of an event.
    private func refuse(_ notification: ReceivedNotification, _ cause: Refusal.Cause) async -> NotificationAnswer {
        let refusal = Refusal.unavailable(cause)
        switch notification.event {
        case .payInfo, .payInvoice, .payVerify: return await answering { () throws(Refusal) in throw refusal }
        case .invoiceRequest: return refused(.unavailable(cause))
        case .backend(.swapUpdated(_, let status)): return failed(refusal, news: .unfinished(status))
        default: return failed(refusal, news: nil)
        }
    }

    /// Answers an LNURL request, which has a reply for every failure.
    func answering(
        _ amount: Millisatoshi? = nil, _ body: () async throws(Refusal) -> NotificationAnswer
    ) async -> NotificationAnswer {
        do {
            return try await body()
        } catch {
            return NotificationAnswer(
                .reply(error.notifiedReply(for: amount)), outcome: error.cause == nil ? .refused : .failed,
                cause: error.cause)
        }
    }

    /// An LNURL payer always gets a reply; a BOLT12 payer whose invoice is late gets none.
    private func outOfTime(_ notification: ReceivedNotification) -> NotificationAnswer {
        let news: NotificationNews? =
            if case .backend(.swapUpdated(_, let status)) = notification.event {
                .unfinished(status)
            } else {
                nil
            }
        switch notification.event {
        case .payInfo, .payInvoice, .payVerify:
            return NotificationAnswer(
                .reply(Refusal.unavailable(.outOfTime).notifiedReply()), outcome: .outOfTime, cause: "out of time")
        default:
            return NotificationAnswer(.none(.outOfTime), outcome: .outOfTime, news: news, cause: "out of time")
        }
    }
}

extension NotificationAnswer {
    /// The reply for the event log, without a preimage.
    fileprivate var loggedReply: String? {
        guard case .reply(let reply) = answer else { return nil }
        guard case .object(var object) = reply.json else { return reply.json.serialized() }
        object["preimage"] = nil
        return JSONValue.object(object).serialized()
    }
}

extension NotificationResponder {
    func payInfo(_ callback: String, by recipient: any PayResponder) async throws(Refusal) -> NotificationAnswer {
        let payer = Payer(notified: Payer.Notified(lifetime: infoMaxAge))
        let (request, maxAge) = try await recipient.payRequest(for: payer)
        return .reply(Reply(request.json(callback: callback), maxAge: maxAge))
    }

    /// An invoice. A repeated event gets the same one while it can be paid.
    func payInvoice(
        _ query: CallbackQuery, verify template: VerifyTemplate?, _ request: RequestDigest,
        by recipient: any PayResponder
    ) async throws(Refusal) -> NotificationAnswer {
        let (invoice, paymentHash) = try await recipient.payInvoice(
            query, token: nil, for: Payer(notified: Payer.Notified(lifetime: infoMaxAge, request: request)))
        let body = invoice.json(verify: template?.url(of: paymentHash), disposable: nil)
        return .reply(Reply(body), paymentHash: paymentHash)
    }

    /// Seconds for which "not paid yet" may be cached.
    private static let openMaxAge: UInt64 = 3
    /// Seconds for which "paid" may be cached: a week.
    private static let settledMaxAge: UInt64 = 604_800

    func payVerify(_ hash: String, by recipient: any PayResponder) async throws(Refusal) -> NotificationAnswer {
        guard let paymentHash = try? PaymentHash(hexadecimal: hash) else { throw .unknownInvoice }
        let answer = try await recipient.verify(paymentHash, token: nil, for: Payer())
        return .reply(
            Reply(answer.json, maxAge: answer.settled ? Self.settledMaxAge : Self.openMaxAge),
            paymentHash: paymentHash
        )
    }

    /// A BOLT12 invoice for a request that a forwarder received from the Lightning network.
    func offeredInvoice(
        _ request: [UInt8], _ offer: String?, by recipient: any PayResponder
    ) async -> NotificationAnswer {
        do throws(RequestRefusal) {
            let invoice = try await recipient.invoice(
                answering: request, to: try offer.map(Self.offer), issued: nil, arrival: .forwarder)
            return .reply(Reply(["invoice": .string(invoice.text)]), paymentHash: invoice.paymentHash)
        } catch {
            return refused(error)
        }
    }

    /// The answer to a request for an invoice that there is none for.
    func refused(_ refusal: RequestRefusal) -> NotificationAnswer {
        let cause = refusal.cause
        let outcome: EventRecord.Outcome = cause == nil ? .refused : .failed
        if refusal.isSilent { return NotificationAnswer(.none(.ignored), outcome: outcome) }
        if refusal.isTransient { return NotificationAnswer(.none(.transient), outcome: outcome, cause: cause) }
        return NotificationAnswer(
            .reply(Reply(["error": .string(refusal.reason)], isError: true)), outcome: outcome, cause: cause)
    }

    private static func offer(_ text: String) throws(RequestRefusal) -> Offer {
        try rethrowing(Offer(text), as: RequestRefusal.request(.offerMismatch))
    }
}

extension ReceivedNotification {
    /// Identifies a repeated request for an invoice.
    ///
    /// The content alone is not enough: two payers may request the same. Requests are the same when the sender gives
    /// them the same id or, without an id, the same reply URL, since services create one per payer.
    func digest(of query: CallbackQuery, _ template: VerifyTemplate?, for account: AccountID) -> RequestDigest {
        let origin: JSONValue = messageID.map { ["id": .string($0)] } ?? ["url": .string(replyURL ?? "")]
        let question: JSONValue = [
            "lnurlpay_invoice", .string(account.text), origin, .unsigned(query.amount.msat),
            .string(query.comment ?? ""), .string(template?.text ?? ""),
        ]
        return RequestDigest(of: question.serializedBytes())
    }
}

/// Records how long the parts of one answer take. Found through a task-local value, so that it need not be passed
/// along.
package final class StepLog: Sendable {
    /// The log of the answer that this task works on; nil when nothing is measured.
    @TaskLocal package static var current: StepLog?

    private let clock: MonotonicClock
    private let taken = Guarded<[EventRecord.Step]>([])

    package init(clock: MonotonicClock) {
        self.clock = clock
    }

    package var steps: [EventRecord.Step] { taken.withLock { $0 } }

    /// Runs a body and records its duration, also when it throws.
    package static func measure<Value, Fault>(
        _ name: String, _ body: () async throws(Fault) -> Value
    ) async throws(Fault) -> Value {
        guard let log = current else { return try await body() }
        let begin = log.clock.now()
        defer {
            let step = EventRecord.Step(name, milliseconds: (log.clock.now() - begin).wholeMilliseconds)
            log.taken.withLock { $0.append(step) }
        }
        return try await body()
    }
}

extension NotificationResponder {
    /// Lets the node act on a swap, unless that does not apply to it; then waits for the swap's payment.
    func swap(_ id: String, _ status: SwapStatus, of name: AccountID) async -> NotificationAnswer {
        do {
            let payment = try await responder.advance(.swapUpdated(id: id, status), of: name)
            guard let payment else { return .done(news: .unfinished(status)) }
            let invoice = try await settled(payment, of: name)
            return .done(payment, news: news(of: invoice) ?? .unfinished(status))
        } catch {
            return failed(error, news: .unfinished(status))
        }
    }

    func arrival(of paymentHash: PaymentHash, for name: AccountID) async -> NotificationAnswer {
        do {
            return .done(paymentHash, news: news(of: try await settled(paymentHash, of: name)))
        } catch {
            return failed(error, news: nil)
        }
    }

    /// Lets the node act on a confirmation on its chain.
    func advanced(_ event: BackendEvent, of name: AccountID) async -> NotificationAnswer {
        do {
            return .done(try await responder.advance(event, of: name))
        } catch {
            return failed(error, news: nil)
        }
    }

    private func news(of invoice: IssuedInvoice?) -> NotificationNews? {
        invoice?.settlement.map { .received($0.received) }
    }

    func failed(_ refusal: Refusal, news: NotificationNews?) -> NotificationAnswer {
        if case .unavailable(.backend(_, .unsupported)) = refusal {
            return NotificationAnswer(.none(.notAsked), outcome: .ignored, news: news)
        }
        guard case .unavailable(let cause) = refusal else {
            return NotificationAnswer(.none(.notAsked), outcome: .refused, news: news)
        }
        return NotificationAnswer(.none(.notAsked), outcome: .failed, news: news, cause: cause.operatorReason)
    }

    /// How often to check for a payment while waiting for it.
    private static let followInterval = Duration.seconds(1)

    /// An invoice of the account, once it is settled; nil when it can no longer be paid. Waits until canceled.
    private func settled(_ paymentHash: PaymentHash, of name: AccountID) async throws(Refusal) -> IssuedInvoice? {
        while !Task.isCancelled {
            let invoice = try await responder.invoice(paymentHash, of: name)
            if invoice.settlement != nil { return invoice }
            let status = try await responder.status(of: invoice)
            if case .closed = status { return nil }
            if try await responder.recordPayment(status, of: invoice) {
                return try await responder.invoice(paymentHash, of: name)
            }
            guard (try? await clock.sleep(clock.now() + Self.followInterval)) != nil else { return nil }
        }
        return nil
    }
}
