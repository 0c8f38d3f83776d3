import BlindedPaths
import Bolt11
import Bolt12
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import Waiting

/// A wallet on a phone with its webhook: signs statements, notes the questions that are posted, and replies.
final class TestDevice: Sendable {
    /// What the device does with a question.
    enum Behavior: Sendable {
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
    let behavior = Guarded(Behavior.replies)
    /// Whether invoices are paid.
    let isPaid = Guarded(false)
    /// Whether the preimage of a paid invoice is told.
    let tellsPreimage = Guarded(true)
    let maximumAge = Guarded<Int?>(nil)
    /// Whether a BOLT12 request is answered by the webhook's response.
    let answersInResponse = Guarded(false)
    private let asked = Guarded<[JSONValue]>([])
    private let reply: @Sendable (_ path: String, _ body: String, _ maximumAge: Int?) async -> Void
    private let server: LoopbackServer?
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

    /// One that only registers: the key is that number.
    init(key number: UInt64) throws {
        key = try SecretKey(Array(repeating: 0, count: 24) + withUnsafeBytes(of: number.bigEndian) { Array($0) })
        reply = { _, _, _ in }
        now = { UnixTime(0) }
        server = nil
    }

    var publicKey: String { key.publicKey.hexadecimal }

    /// Where questions are posted.
    var webhook: String { "http://127.0.0.1:\(server?.port ?? 9)/notify?platform=ios&token=secret-token" }

    /// What was asked so far.
    var questions: [JSONValue] { asked.withLock { $0 } }

    /// Waits for a question; counted from 0.
    func question(_ number: Int) async throws -> JSONValue {
        try await eventually { questions.count > number }
        return questions[number]
    }

    /// A signed request to register.
    func registration(
        _ name: String?, offer: String? = nil, webhook: String? = nil, time: Int64, isSigned: Bool = true
    ) throws -> JSONValue {
        let webhook = webhook ?? self.webhook
        let parts = ["\(time)", webhook] + [name, name == nil ? nil : offer].compactMap { $0 }
        return [
            "time": .number(JSONNumber(time)), "webhook_url": .string(webhook), "username": .text(name),
            "offer": .text(offer), "signature": .string(isSigned ? try sign(parts) : ""),
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
        switch behavior.withLock({ $0 }) {
        case .status(let status): return LoopbackAnswer(status: status, "")
        case .silent: return LoopbackAnswer(status: 200, "")
        case .says(let text): body = text
        case .replies: body = try? answer(to: question)
        }
        if let body, question["event"] != nil, answersInResponse.withLock({ $0 }) { return LoopbackAnswer(body) }
        let url = question["data"]?["reply_url"]?.string.flatMap { try? HTTPURL($0) }
        if let body, let url {
            let age = maximumAge.withLock { $0 }
            Task { [reply] in await reply(url.path, body, age) }
        }
        return LoopbackAnswer(status: 200, "")
    }

    private func answer(to question: JSONValue) throws -> String? {
        let data = question["data"]
        if question["event"] == "invoice.request" {
            let request = try Hexadecimal.decode(data?["invoiceRequest"]?.string ?? "")
            return #"{"invoice":"\#(try offeredInvoice(for: request))"}"#
        }
        switch question["template"]?.string {
        case "lnurlpay_info":
            return JSONValue.object([
                "callback": data?["callback_url"] ?? .null, "maxSendable": 25_000_000_000, "minSendable": 1_000,
                "metadata": .string(Self.metadata), "commentAllowed": 256, "tag": "payRequest", "allowsNostr": false,
                "nostrPubkey": .null,
            ]).serialized()
        case "lnurlpay_invoice":
            let made = try invoice(Millisatoshi(data?["amount"]?.uint64 ?? 0))
            let verify = data?["verify_url"]?.string?.replacing(
                "{payment_hash}", with: try Self.paymentHash.hexadecimal)
            return JSONValue.object(["pr": .string(made), "routes": [], "verify": .text(verify)]).serialized()
        case "lnurlpay_verify":
            let isPaid = isPaid.withLock { $0 }
            return JSONValue.object([
                "status": "OK", "settled": .bool(isPaid),
                "preimage": isPaid && tellsPreimage.withLock { $0 } ? .hexadecimal(Self.preimage) : .null,
                "pr": .string(try invoice(Millisatoshi(1000))),
            ]).serialized()
        default: return nil
        }
    }

    /// An offer of any amount.
    func offer(_ description: String = "tea") throws -> Offer {
        var fields = OfferFields()
        fields.description = description
        fields.chains = [ChainHash(.regtest)]
        fields.issuerID = key.publicKey
        return try Offer(fields)
    }

    /// The BOLT12 invoice for a request.
    func offeredInvoice(for bytes: [UInt8]) throws -> String {
        let request = try InvoiceRequest(bytes: bytes)
        guard let offer = try request.mirroredOffer() else { throw InvoiceRequestFault.offerMismatch }
        let accepted = try request.accepted(
            for: offer, RequestReception(arrival: .forwarder, now: now(), chains: Set(offer.acceptedChains)))
        let hop = try BlindedPath.Hop(blindedNodeID: key.publicKey, encryptedRecipientData: [0xaa])
        let path = try PaymentPath(
            path: BlindedPath(introductionNode: .node(key.publicKey), firstPathKey: key.publicKey, hops: [hop]),
            payinfo: BlindedPayinfo(
                feeBase: 0, feeProportionalMillionths: 0, cltvExpiryDelta: 18, htlcMinimum: Millisatoshi(1),
                htlcMaximum: Millisatoshi(1_000_000_000)))
        return try InvoiceDraft(
            answering: accepted, createdAt: now(), paymentHash: Self.paymentHash, paths: [path]
        ).signed(by: key, auxiliaryRandom: nil).text
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
