import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel

extension VectorRunner {
    static let responder = [
        // Parses a notification in any envelope.
        VectorRunner("responder", "read") { input in
            let notification = try input.notificationReader().read(Array(input.text("notification").utf8))
            return [
                "type": .string(notification.type.rawValue),
                "envelope": .string(notification.envelope.rawValue),
                "payload": .object(notification.payload),
                "replyURL": .text(notification.replyURL),
                "appData": notification.appData ?? .null,
                "messageID": .text(notification.messageID),
                "closed": .bool(notification.isClosed),
            ]
        },
        // Handles consecutive notifications, and returns the result of the last one.
        VectorRunner("responder", "reply") { input in
            let responder = try await input.responder()
            let account = try input.account(named: "for")
            let reader = try input.notificationReader()
            let earlier = try input.has("before") ? input.array("before") : []
            for text in earlier {
                guard let text = text.string else { throw InputFault(member: "before") }
                _ = await responder.handle(try reader.read(Array(text.utf8)), for: account, until: VectorInput.deadline)
            }
            let notification = try reader.read(Array(input.text("notification").utf8))
            let handled = await responder.handle(notification, for: account, until: VectorInput.deadline)
            return [
                "reply": .text(handled.reply.map { String(decoding: $0.body, as: UTF8.self) }),
                "cacheControl": .text(handled.reply?.cacheControl),
                "silence": .text(handled.silence?.name),
                "title": .text(handled.text?.title),
                "body": .text(handled.text?.body),
                "lifetime": .text(handled.text?.lifetime.rawValue),
            ]
        },
    ]
}

extension VectorInput {
    /// Nothing here waits: the clock is never read.
    fileprivate static let deadline = MonotonicTime(sinceStart: .seconds(20))

    fileprivate func responder() async throws -> NotificationResponder {
        let now = UnixTime(try unsigned("now"))
        var state = try account()
        let invoices = try has("invoices") ? invoices("invoices") : []
        for invoice in invoices { state.invoices[invoice.paymentHash] = invoice }
        let offers = try offers(into: &state)
        let responder = Responder(
            ledger: VectorLedger(state),
            backends: [.embedded: try node(at: now)],
            settings: ResponderSettings(
                challengeKey: SecretBytes([UInt8](repeating: 0, count: 32))
            ),
            offers: offers,
            clock: { now },
            random: { count throws(CryptoFault) in [UInt8](repeating: 7, count: count) }
        )
        return NotificationResponder(
            responder,
            answerers: Answerers(standard: responder),
            settings: NotificationSettings(infoMaxAge: try unsigned("infoMaxAge")),
            clock: MonotonicClock(
                now: { MonotonicTime(sinceStart: .zero) },
                sleep: { _ in try await Task.sleep(for: .seconds(86_400)) }
            )
        )
    }
}

extension ReceivedNotification {
    fileprivate var isClosed: Bool {
        if case .undecipherable = event { true } else { false }
    }
}

extension NotificationResult {
    fileprivate var silence: Silence? {
        if case .none(let silence) = answer { silence } else { nil }
    }
}

extension Silence {
    fileprivate var name: String {
        switch self {
        case .notAsked: "not-asked"
        case .refused: "refused"
        case .unknownType: "unknown-type"
        case .undecipherable: "undecipherable"
        case .transient: "transient"
        case .ignored: "ignored"
        case .outOfTime: "out-of-time"
        }
    }
}

extension EnvelopeFault {
    var rule: String {
        switch self {
        case .tooLarge: "too-large"
        case .json: "json"
        case .notAnObject: "not-an-object"
        case .unknownEnvelope: "unknown-envelope"
        case .member(let fault): "envelope-" + fault.problem.rule
        case .payloadJSON: "payload-json"
        case .payload(let fault): "payload-" + fault.problem.rule
        }
    }
}

extension MemberFault.Problem {
    var rule: String {
        switch self {
        case .missing: "missing"
        case .notText: "not-text"
        case .zero: "zero"
        case .empty: "empty"
        case .tooLong: "too-long"
        case .notAnObject: "not-an-object"
        case .notWholeNumber: "not-whole-number"
        case .notHexadecimal: "not-hexadecimal"
        case .notBase64: "not-base64"
        }
    }
}
