import Platform
import Notifications
import LNURL
import LightningCoding
import LightningCrypto
import Contracts
import ResponderCore

/// Parses a notification in any envelope.
struct NotificationReadRunner: VectorRunner {
    static let standard = "responder"
    static let subject = "read"

    func run(_ input: VectorInput) async throws -> JSONObject {
        let notification = try input.notificationReader().read(Array(input.string("notification").utf8))
        return [
            "type": .string(notification.type.rawValue),
            "envelope": .string(notification.envelope.rawValue),
            "payload": .object(notification.payload),
            "replyURL": .text(notification.replyURL),
            "appData": notification.appData ?? .null,
            "messageID": .text(notification.messageID),
            "closed": .bool(notification.isClosed),
        ]
    }

    func rule(of fault: any Error) -> String? { (fault as? EnvelopeFault)?.rule }
}

/// Handles consecutive notifications, and returns the result of the last one.
struct ReplyRunner: VectorRunner {
    static let standard = "responder"
    static let subject = "reply"

    func run(_ input: VectorInput) async throws -> JSONObject {
        let responder = try await responder(input)
        let account = try input.made("for") { try AddressName($0) }
        let reader = try input.notificationReader()
        let earlier = try input.has("before") ? input.array("before") : []
        for text in earlier {
            guard let text = text.string else { throw VectorInput.Fault(member: "before") }
            _ = await responder.handle(try reader.read(Array(text.utf8)), for: account, until: Self.deadline)
        }
        let notification = try reader.read(Array(input.string("notification").utf8))
        let handled = await responder.handle(notification, for: account, until: Self.deadline)
        return [
            "reply": .text(handled.reply.map { String(decoding: $0.body, as: UTF8.self) }),
            "cacheControl": .text(handled.reply?.cacheControl),
            "silence": .text(handled.silence?.name),
            "title": .text(handled.text?.title),
            "body": .text(handled.text?.body),
            "lifetime": .text(handled.text?.lifetime.rawValue),
        ]
    }

    func rule(of fault: any Error) -> String? { (fault as? EnvelopeFault)?.rule }

    /// Nothing here waits: the clock is never read.
    private static let deadline = MonotonicTime(sinceStart: .seconds(20))

    private func responder(_ input: VectorInput) async throws -> NotificationResponder {
        let now = UnixTime(try input.unsigned("now"))
        var state = try input.account()
        let invoices = try input.has("invoices") ? input.invoices("invoices") : []
        for invoice in invoices { state.invoices[invoice.paymentHash] = invoice }
        let offers = try input.offers(into: &state)
        let responder = try Responder(
            ledger: VectorLedger(state),
            backends: [.embedded: try input.node(at: now)],
            settings: ResponderSettings(
                publicURL: HTTPURL("https://pay.example.com"),
                challengeKey: SecretBytes([UInt8](repeating: 0, count: 32))
            ),
            offers: offers,
            clock: { now },
            random: { count throws(CryptoFault) in [UInt8](repeating: 7, count: count) }
        )
        return NotificationResponder(
            responder,
            settings: NotificationSettings(infoMaxAge: try input.unsigned("infoMaxAge")),
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
    fileprivate var rule: String {
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
    fileprivate var rule: String {
        switch self {
        case .missing: "missing"
        case .notText: "not-text"
        case .empty: "empty"
        case .tooLong: "too-long"
        case .notAnObject: "not-an-object"
        case .notWholeNumber: "not-whole-number"
        case .notHexadecimal: "not-hexadecimal"
        case .notBase64: "not-base64"
        }
    }
}
