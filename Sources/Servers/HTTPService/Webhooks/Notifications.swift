package import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
package import LightningCoding
import LightningCrypto
package import Logging
package import Platform
package import ResponderCore
package import ResponderModel
package import ServiceLifecycle

/// Accepts notifications, and answers them.
package struct Notifications: ServiceFeature {
    let accepted: AcceptedNotifications
    let secrets: WebhookSecrets
    let isOpen: Bool
    let observer: NotificationObserver

    /// - Parameters:
    ///   - processor: answers them, posts the replies and records both.
    ///   - secrets: derives the accounts' webhook secrets.
    ///   - isOpen: whether `/webhook/{account}` accepts unsigned ones.
    ///   - instance: accepts them, and handles what it has accepted.
    ///   - time: how long one is valid, from its arrival.
    ///   - queue: in whose turns they are answered; nil for one of its own.
    package init(
        _ processor: NotificationProcessor, reader: NotificationReader, secrets: WebhookSecrets, isOpen: Bool,
        instance: InstanceID, time: Duration, queue: NotificationQueue? = nil, clock: MonotonicClock = .system,
        wallClock: @escaping WallClock, metrics: any MetricsFactory, logger: Logger
    ) {
        self.secrets = secrets
        self.isOpen = isOpen
        let observer = NotificationObserver(metrics: metrics)
        self.observer = observer
        accepted = AcceptedNotifications(
            reader: reader, processor: processor, queue: queue ?? NotificationQueue(report: observer.note),
            instance: instance, time: time, clock: clock, wallClock: wallClock
        ) { observer.note($0, logger) }
    }

    package func addRoutes(to router: PublicRouter) {
        NotificationRoutes(self, router).add(to: router)
    }

    /// Finishes what was accepted.
    package var services: [any Service] { [ShutdownTask { [accepted] in await accepted.queue.finish() }] }

    package var outboxHandlers: [any OutboxHandler] { [accepted] }

    /// Each of those in progress may post a reply.
    package var descriptors: Int { accepted.queue.limits.atWork }
}

/// Counts notifications and their replies by result, and logs failures.
struct NotificationObserver: Sendable {
    private let notifications: [EventRecord.Outcome: Counter]
    private let replies: [EventRecord.Delivery: Counter]
    private let replyTime: Timer
    private let held: Meter
    private let notAccepted: Counter
    private let lines = RepeatedLines<String>()

    init(metrics: any MetricsFactory) {
        notifications = metrics.counters(
            "responder_notifications_total", by: "outcome", of: EventRecord.Outcome.allCases, \.rawValue)
        replies = metrics.counters(
            "responder_replies_total", by: "outcome", of: EventRecord.Delivery.allCases, \.rawValue)
        replyTime = Timer(label: "responder_reply_seconds", factory: metrics)
        held = Meter(label: "responder_notifications_held", factory: metrics)
        notAccepted = Counter(label: "responder_notifications_refused_total", factory: metrics)
    }

    /// - Parameter isRequest: whether the HTTP request is answered with the result, and logs failures itself.
    func note(_ processed: NotificationResult, _ logger: Logger, isRequest: Bool = false) {
        let record = processed.record
        notifications[record.outcome]?.increment()
        if let delivery = record.delivery { replies[delivery]?.increment() }
        if let report = processed.delivery {
            replyTime.recordNanoseconds(Int64(clamping: report.milliseconds) &* 1_000_000)
        }
        let words: Logger.Metadata = ["account": "\(record.account)", "type": "\(record.type)"]
        if let cause = processed.cause, !isRequest {
            note("notification failed", .error, words.merging(["cause": .string(cause)]) { $1 }, logger)
        }
        if let report = processed.delivery, report.outcome != .taken {
            let details: Logger.Metadata = ["outcome": "\(report.outcome.reason)", "attempts": "\(report.attempts)"]
            note("reply not accepted", .warning, words.merging(details) { $1 }, logger)
        }
        if let fault = processed.recordFault {
            note("notification not recorded", .error, words.merging(["cause": "\(fault.reason)"]) { $1 }, logger)
        }
    }

    private func note(_ message: Logger.Message, _ level: Logger.Level, _ words: Logger.Metadata, _ logger: Logger) {
        // Sorted, since equal dictionaries list their members in different orders.
        lines.note("\(message) \(words.sorted { $0.key < $1.key })") { times in
            logger.log(level: level, message, metadata: words.repeated(times))
        }
    }

    @Sendable func note(_ event: NotificationQueue.Event) {
        switch event {
        case .held(let count): held.set(Int64(count))
        case .refused: notAccepted.increment()
        }
    }
}

/// Accepts notifications: `POST /webhook/{account}/{secret}`, or `POST /webhook/{account}` with a signature of the
/// body, or unsigned where `isOpen` allows it.
///
/// One whose reply is posted elsewhere gets 200 once it is durably accepted; processing continues afterwards. An
/// invoice request without a reply URL, which a forwarder received over the Lightning network, is answered in the
/// response: `{"invoice":"lni1…"}` or `{"error":"…"}`, either of them for the payer. So are custom types.
struct NotificationRoutes: Sendable {
    private let notifications: Notifications
    private let hosts: HostSelection
    private let admission: Admission

    static let signatureField = HTTPField.Name("X-Webhook-Signature")

    init(_ notifications: Notifications, _ router: PublicRouter) {
        self.notifications = notifications
        hosts = router.hosts
        admission = router.admission
    }

    func add(to router: PublicRouter) {
        for template in ["/webhook/{account}/{secret}", "/webhook/{account}"] {
            let instruments = RouteInstruments(template: template, metrics: router.metrics)
            router.router.post(RouterPath(template)) { request, context in
                await instruments.observe(context.logger) { await response(to: request, context) }
            }
        }
    }

    private var accepted: AcceptedNotifications { notifications.accepted }

    private func response(to request: Request, _ context: ServiceContext) async -> RouteInstruments.Observed {
        do throws(WebhookRefusal) {
            if let seconds = admission.wait(for: .notification, request, context) {
                throw .tooOften(nil, retryAfter: seconds)
            }
            let (account, recipient, caller, body) = try await authenticated(request, context)
            if recipient.kind.isRegistered { return try await answered(body, for: account, recipient, by: caller) }
            return try await accepted(body, for: account, recipient, by: caller, context.logger)
        } catch {
            return .init(error.response, error.outcome, cause: error.cause)
        }
    }

    private func accepted(
        _ body: [UInt8], for account: AccountID, _ recipient: any PayResponder, by caller: Admission.Caller,
        _ logger: Logger
    ) async throws(WebhookRefusal) -> RouteInstruments.Observed {
        let deadline = accepted.deadline
        let notification = try rethrowing(accepted.reader.read(body), as: WebhookRefusal.envelope)
        let processor = accepted.processor
        if let replyURL = notification.replyURL {
            try rethrowing(processor.sender.check(replyURL), as: { WebhookRefusal.replyURL(notification.type, $0) })
        }
        if let seconds = await admission.wait(for: account, by: caller) {
            throw .tooOften(notification.type, retryAfter: seconds)
        }
        do throws(NotificationRefusal) {
            if notification.replyURL == nil, processor.responder.answersInResponse(notification.type) {
                let processed = try await accepted.answer(
                    notification, bytes: body.count, for: account, by: recipient, until: deadline)
                notifications.observer.note(processed, logger, isRequest: true)
                return RouteInstruments.Observed(answering: processed)
            }
            try await accepted.accept(notification, body, for: account, by: recipient, until: deadline) {
                [observer = notifications.observer] processed in
                observer.note(processed, logger)
            }
            return .init(Response(status: .ok))
        } catch .ledger(let fault) {
            throw .ledger(fault)
        } catch {
            throw .busy(notification.type)
        }
    }
}

extension NotificationRoutes {
    /// A forwarder's request for the offer of an app user, which is answered in the response. Nothing is recorded: it is the
    /// device's. Other notifications are for accounts only.
    private func answered(
        _ body: [UInt8], for name: AccountID, _ recipient: any PayResponder, by caller: Admission.Caller
    ) async throws(WebhookRefusal) -> RouteInstruments.Observed {
        let deadline = accepted.deadline
        let notification = try rethrowing(accepted.reader.read(body), as: WebhookRefusal.envelope)
        guard notification.type == .invoiceRequest, notification.replyURL == nil else { throw .unknown }
        if let seconds = await admission.wait(for: name, by: caller) {
            throw .tooOften(notification.type, retryAfter: seconds)
        }
        return .init(
            answering: await accepted.processor.responder.handle(
                notification, for: name, by: recipient, until: deadline))
    }

    /// The recipient of an authenticated call. A body is received for those only that exist: which names do is no secret,
    /// since payers ask for them.
    private func authenticated(
        _ request: Request, _ context: ServiceContext
    ) async throws(WebhookRefusal) -> (AccountID, any PayResponder, caller: Admission.Caller, body: [UInt8]) {
        guard let segment = context.parameters.get("account") else { throw .unknown }
        let (name, domain) = try await named(segment, request, context)
        let account = AccountID(name, at: domain.name)
        let recipient = try await WebhookRefusal.asking(
            await accepted.processor.responder.responder.payResponder(for: Recipient(account)))
        // The secret of a name that is registered is its owner's.
        let owner: PublicKey?
        switch recipient.kind {
        case .account: owner = nil
        case .registered(let key): owner = key
        case .unknown: throw .unknown
        }
        let body: [UInt8]
        var caller = Admission.Caller.notifier
        if let secret = context.parameters.get("secret") {
            guard notifications.secrets.isSecret(secret, of: name, in: domain, owner: owner) else { throw .unknown }
            body = try await self.body(of: request, context)
        } else if let signature = Self.signatureField.flatMap({ request.headers[$0] }) {
            body = try await self.body(of: request, context)
            guard notifications.secrets.isSignature(signature, over: body, of: name, in: domain, owner: owner) else {
                throw .unknown
            }
        } else {
            guard notifications.isOpen else { throw .unknown }
            caller = .stranger
            body = try await self.body(of: request, context)
        }
        return (account, recipient, caller, body)
    }

    /// The account that the path names: `alice` at the host of the request, or `alice@example.org` at any.
    private func named(
        _ segment: String, _ request: Request, _ context: ServiceContext
    ) async throws(WebhookRefusal) -> (AddressName, Domain) {
        guard let text = try? PercentEncoding.decode(segment, plusIsSpace: false) else { throw .unknown }
        if let account = try? AccountID(text) {
            let table = try await WebhookRefusal.asking(await hosts.accounts.domains())
            guard let domain = table[account.domain] else { throw .unknown }
            return (account.name, domain)
        }
        let reached: ReachedDomain
        do {
            reached = try await hosts.domain(of: request, context)
        } catch {
            if case .ledger(let fault) = error { throw .ledger(fault) }
            throw .unknown
        }
        guard let name = try? AddressName(text), let account = reached.recipient(.name(LocalPart(name: name)))?.account
        else { throw .unknown }
        return (account.name, reached.domain)
    }

    private func body(of request: Request, _ context: ServiceContext) async throws(WebhookRefusal) -> [UInt8] {
        let network = admission.network(of: request, context)
        return try await awaiting(
            await request.bytes(limit: NotificationReader.maximumCount, from: network), as: WebhookRefusal.body)
    }
}

extension RouteInstruments.Observed {
    /// The response that a forwarder passes on to the payer. A 2xx status is final; on any other the forwarder retries.
    fileprivate init(answering handled: NotificationResult) {
        let response: Response =
            switch handled.answer {
            case .reply(let reply):
                .webhook(
                    reply.body, status: reply.retryAfter == nil ? .ok : .serviceUnavailable,
                    retryAfter: reply.retryAfter)
            case .none(.ignored): Response(status: .noContent)
            case .none(.notAsked): Response(status: .ok)
            case .none(.refused): .error("the notification is refused", .unprocessableContent)
            case .none: .error("Temporarily unavailable; please try again later", .serviceUnavailable)
            }
        self.init(response, handled.outcome, cause: handled.cause)
    }
}

extension NotificationResult {
    fileprivate var outcome: Outcome {
        switch record.outcome {
        case .answered, .done: .answered
        case .refused, .ignored: .refused
        case .failed, .outOfTime: .failed
        }
    }
}
