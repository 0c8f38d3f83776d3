import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import OutboundHTTP
import Platform
import Waiting

/// A wallet on a phone with its webhook: signs statements, notes the questions that are posted, and replies.
final class TestDevice: Sendable {
    /// What the device does with a question.
    enum Behaviour: Sendable {
        /// Replies as the plugin does.
        case replies
        /// Replies with that body, whatever is asked.
        case says(String)
        /// Does not reply.
        case silent
        /// The webhook answers with that status.
        case status(Int)
    }

    static let metadata = #"[["text/plain","Pay with a phone"]]"#
    static let preimage = Array(repeating: 7 as UInt8, count: 32)

    let key: SecretKey
    let behaviour = Guarded(Behaviour.replies)
    /// Whether the preimage is told.
    let isPaid = Guarded(false)
    let maximumAge = Guarded<Int?>(nil)
    private let asked = Guarded<[JSONValue]>([])
    private let reply: @Sendable (_ path: String, _ body: String, _ maximumAge: Int?) async -> Void
    private let server: LoopbackServer
    private let now: @Sendable () -> UnixTime

    /// - Parameter reply: takes a reply to the service, given the path of its reply URL.
    init(
        _ number: UInt8 = 0x11, now: @escaping @Sendable () -> UnixTime,
        reply: @escaping @Sendable (_ path: String, _ body: String, _ maximumAge: Int?) async -> Void
    ) throws {
        key = try SecretKey(Array(repeating: number, count: 32))
        self.reply = reply
        self.now = now
        let received = Guarded<(@Sendable (LoopbackRequest) -> LoopbackAnswer)?>(nil)
        server = try LoopbackServer { request in
            received.withLock { $0 }?(request) ?? LoopbackAnswer(status: 503, "")
        }
        received.withLock { received in
            received = { [weak self] request in self?.receive(request) ?? LoopbackAnswer(status: 503, "") }
        }
    }

    var publicKey: String { key.publicKey.hexadecimal }

    /// Where questions are posted.
    var webhook: String { "http://127.0.0.1:\(server.port)/notify?platform=ios&token=secret-token" }

    /// What was asked so far.
    var questions: [JSONValue] { asked.withLock { $0 } }

    /// Waits for a question; counted from 0.
    func question(_ number: Int) async throws -> JSONValue {
        try await eventually { questions.count > number }
        return questions[number]
    }

    /// A signed request to register.
    func registration(
        _ name: String?, offer: String? = nil, webhook: String? = nil, time: Int64
    ) throws -> JSONValue {
        let webhook = webhook ?? self.webhook
        let parts = ["\(time)", webhook] + [name, name == nil ? nil : offer].compactMap { $0 }
        return [
            "time": .number(JSONNumber(time)), "webhook_url": .string(webhook), "username": .text(name),
            "offer": .text(offer), "signature": .string(try sign(parts)),
        ]
    }

    /// A signed request to unregister or to recover.
    func statement(webhook: String? = nil, time: Int64) throws -> JSONValue {
        let webhook = webhook ?? self.webhook
        return [
            "time": .number(JSONNumber(time)), "webhook_url": .string(webhook),
            "signature": .string(try sign(["\(time)", webhook])),
        ]
    }

    func sign(_ parts: [String]) throws -> String {
        try LightningMessage.sign(parts.joined(separator: "-"), with: key)
    }

    private func receive(_ request: LoopbackRequest) -> LoopbackAnswer {
        guard let question = try? JSONValue(parsing: request.body) else { return LoopbackAnswer(status: 400, "") }
        asked.withLock { $0.append(question) }
        let body: String?
        switch behaviour.withLock({ $0 }) {
        case .status(let status): return LoopbackAnswer(status: status, "")
        case .silent: return LoopbackAnswer(status: 200, "")
        case .says(let text): body = text
        case .replies: body = try? answer(to: question)
        }
        let url = question["data"]?["reply_url"]?.string.flatMap { try? HTTPURL($0) }
        if let body, let url {
            let age = maximumAge.withLock { $0 }
            Task { [reply] in await reply(url.path, body, age) }
        }
        return LoopbackAnswer(status: 200, "")
    }

    private func answer(to question: JSONValue) throws -> String? {
        let data = question["data"]
        switch question["template"]?.string {
        case "lnurlpay_info":
            return JSONValue.object([
                "callback": data?["callback_url"] ?? .null, "maxSendable": 25_000_000_000, "minSendable": 1_000,
                "metadata": .string(Self.metadata), "commentAllowed": 256, "tag": "payRequest", "allowsNostr": false,
                "nostrPubkey": .null,
            ]).serialized()
        case "lnurlpay_invoice":
            let made = try invoice(Millisatoshi(data?["amount"]?.uint64 ?? 0))
            return JSONValue.object(["pr": .string(made), "routes": [], "verify": .null]).serialized()
        case "lnurlpay_verify":
            let isPaid = isPaid.withLock { $0 }
            return JSONValue.object([
                "status": "OK", "settled": .bool(isPaid),
                "preimage": isPaid ? .hexadecimal(Self.preimage) : .null,
                "pr": .string(try invoice(Millisatoshi(1000))),
            ]).serialized()
        default: return nil
        }
    }

    /// An invoice with the preimage of all invoices here.
    func invoice(
        _ amount: Millisatoshi, network: Network = .regtest, metadata: String = metadata
    ) throws -> String {
        try Bolt11Draft(
            network: network, amount: amount, timestamp: now(), paymentHash: Self.paymentHash,
            paymentSecret: PaymentSecret(Array(repeating: 8, count: 32)),
            description: .hash(SHA256.hash(metadata.utf8)), expiry: 600
        ).signed(by: key).text
    }

    static var paymentHash: PaymentHash {
        get throws { try Preimage(preimage).paymentHash }
    }
}
