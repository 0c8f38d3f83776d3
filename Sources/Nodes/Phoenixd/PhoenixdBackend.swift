package import Bolt12
package import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
package import ResponderModel

/// A phoenixd node, v0.6.1 or later, over its HTTP interface.
///
/// Connects on demand: the node may start later or restart.
package final class PhoenixdBackend: Sendable {
    package let configuration: PhoenixdConfiguration
    let client: PhoenixdClient
    let clock: WallClock
    let ticks: @Sendable () -> AsyncStream<Void>
    let wakeSignal = WakeSignal()
    let ownOffer: CachedAnswer<Offer>
    private let node: CachedAnswer<NodeDescription>
    private let webhookSource: PhoenixdWebhooks?

    /// Creates the backend; the node need not be running yet.
    ///
    /// - Parameters:
    ///   - clock: the time from which payments are followed, and up to which they are thought to be listed.
    ///   - ticks: when to check for payments that no webhook has reported.
    /// - Throws: `BackendFault.refused` when the password would be sent unencrypted, or the webhook secret cannot be
    ///   read.
    package init(
        _ configuration: PhoenixdConfiguration,
        clock: @escaping WallClock,
        ticks: @escaping @Sendable () -> AsyncStream<Void> = PhoenixdBackend.everySecond
    ) throws(BackendFault) {
        _ = try NodeURL(configuration.url)
        self.configuration = configuration
        self.clock = clock
        self.ticks = ticks
        client = try PhoenixdClient(configuration)
        node = CachedAnswer(for: configuration.limits.memory)
        ownOffer = CachedAnswer(for: .seconds(600))
        if let path = configuration.webhookSecretPath {
            let secret = try SecretFile("webhook secret", path: path).text()
            webhookSource = PhoenixdWebhooks(secret: secret, wakeSignal: wakeSignal)
        } else {
            webhookSource = nil
        }
    }

    /// A tick every second.
    package static func everySecond() -> AsyncStream<Void> {
        AsyncStream { try? await Task.sleep(for: .seconds(1)) }
    }
}

extension PhoenixdBackend: ReceiveBackend {
    /// Whole satoshis, preimages of the node's choice, no canceling; texts of up to 128 characters (`Api.kt`,
    /// `createinvoice`).
    package var capabilities: BackendCapabilities {
        BackendCapabilities(
            precision: .wholeSatoshi,
            acceptsPreimage: false,
            cancels: false,
            offers: configuration.offerLabel == nil ? .none : .ownOffers,
            textLimit: 128
        )
    }

    /// The node by `getinfo`. Its channels are not announced; its invoices contain a hint to its peer.
    package func nodeInfo() async throws(BackendFault) -> NodeInfo {
        try await describedNode(anew: true).info
    }

    /// What the channels can receive, in whole satoshis, or more if the configuration lets the node buy liquidity.
    package func limits() async throws(BackendFault) -> ReceiveLimits {
        let receivable = try await describedNode(anew: false).receivable
        let maximum = max(receivable, configuration.maximumWithPurchase ?? .zero)
        guard let limits = ReceiveLimits(minimum: Millisatoshi(1000), maximum: maximum)?.wholeSatoshis() else {
            throw .nothingReceivable
        }
        return limits
    }

    /// Receives the node's webhooks, if it sends any.
    package var webhooks: (any WebhookSource)? { webhookSource }

    /// Calls the node, and clears cached responses when the node may be gone; nil for what it does not know.
    func find(
        _ method: HTTPMethod, _ path: String, _ items: [(name: String, value: String)] = []
    ) async throws(BackendFault) -> [UInt8]? {
        do {
            return try await client.call(method, path, items)
        } catch {
            if error.isTransient { node.forget() }
            throw error
        }
    }

    func ask(
        _ method: HTTPMethod, _ path: String, _ items: [(name: String, value: String)] = []
    ) async throws(BackendFault) -> [UInt8] {
        guard let body = try await find(method, path, items) else { throw .refused("status 404: no such call") }
        return body
    }

    private func describedNode(anew: Bool) async throws(BackendFault) -> NodeDescription {
        if anew { node.forget() }
        return try await node.value { () async throws(BackendFault) in
            let body = try await self.ask(.get, "/getinfo")
            return try NodeDescription(try NodeAnswer(body, self.configuration.limits))
        }
    }
}

extension PhoenixdBackend {
    /// The node's one permanent offer, by `getoffer`, for the one label that may have it. `createoffer` makes another
    /// one each time, and their payments cannot be told apart.
    ///
    /// - Throws: `BackendFault.unsupported` for other labels, and for an amount, a quantity or an expiry.
    package func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        guard let label = configuration.offerLabel, order.label == label, order.amount == nil,
            order.quantityMax == nil, order.absoluteExpiry == nil
        else { throw .unsupported }
        return try await defaultOffer()
    }

    func defaultOffer() async throws(BackendFault) -> Offer {
        try await ownOffer.value { () async throws(BackendFault) in
            let body = try await self.ask(.get, "/getoffer")
            return try rethrowing(
                Offer(String(decoding: body, as: UTF8.self)), as: BackendFault.malformedAnswer("no offer"))
        }
    }
}

/// phoenixd's webhooks: a JSON body, and in `X-Phoenix-Signature` its HMAC-SHA256 in hexadecimal, keyed with the text
/// of the webhook secret (`Api.kt`, `client.sendPipeline.intercept`). They are never repeated.
struct PhoenixdWebhooks: WebhookSource {
    private let key: HMACSHA256.Keyed
    private let wakeSignal: WakeSignal

    init(secret: SecretBytes, wakeSignal: WakeSignal) {
        key = HMACSHA256.Keyed(secret)
        self.wakeSignal = wakeSignal
    }

    /// A payer's note may be long; the rest is a few hundred bytes.
    var bodyLimit: Int { 16 << 10 }

    func receive(_ call: BackendWebhook) async throws(WebhookFault) {
        guard let digits = call.header("X-Phoenix-Signature"), let signature = try? Hexadecimal.decode(digits),
            key.isValid(signature, for: call.body)
        else { throw .forged }
        let event = try rethrowing(JSONValue(parsing: call.body)) { (fault: JSONFault) in
            WebhookFault.malformed("no JSON: \(fault.reason)")
        }
        guard let type = event["type"]?.string else { throw .malformed("type") }
        if type.isExactly("payment_received") { wakeSignal.wake() }
    }
}
