import Nodes
import Bolt12
public import LightningCoding
import LightningCrypto
import Platform
public import Contracts

/// A phoenixd node, v0.5 or later, over its HTTP interface.
///
/// Connects on demand: the node may start later or restart.
public final class PhoenixdBackend: Sendable {
    /// The backend's configuration.
    public let configuration: PhoenixdConfiguration
    let client: PhoenixdClient
    let clock: WallClock
    let ticks: @Sendable () -> AsyncStream<Void>
    let wakeSignal = WakeSignal()
    let ownOffer: ShortMemory<Offer>
    private let node: ShortMemory<NodeDescription>
    private let webhookSource: PhoenixdWebhooks?

    /// Creates the backend; the node need not be running yet.
    ///
    /// - Parameters:
    ///   - clock: decides which invoices have expired.
    ///   - ticks: when to check for payments that no webhook has reported.
    /// - Throws: `BackendFault.refused` when the password would be sent unencrypted, or the webhook secret cannot be
    ///   read.
    public init(
        _ configuration: PhoenixdConfiguration,
        clock: @escaping WallClock = UnixTime.now,
        ticks: @escaping @Sendable () -> AsyncStream<Void> = PhoenixdBackend.everySecond
    ) throws(BackendFault) {
        _ = try NodeURL(configuration.url)
        self.configuration = configuration
        self.clock = clock
        self.ticks = ticks
        client = try PhoenixdClient(configuration)
        node = ShortMemory(for: configuration.limits.memory)
        ownOffer = ShortMemory(for: .seconds(600))
        if let path = configuration.webhookSecretPath {
            let secret = try SecretFile("webhook secret", path: path).text()
            webhookSource = PhoenixdWebhooks(secret: secret, wakeSignal: wakeSignal)
        } else {
            webhookSource = nil
        }
    }

    /// A tick every second.
    public static func everySecond() -> AsyncStream<Void> {
        AsyncStream { try? await Task.sleep(for: .seconds(1)) }
    }
}

extension PhoenixdBackend: ReceiveBackend {
    /// Whole satoshis, preimages of the node's choice, no cancelling; texts of up to 128 characters (`Api.kt`,
    /// `createinvoice`).
    public var capabilities: BackendCapabilities {
        BackendCapabilities(
            precision: .wholeSatoshi,
            acceptsPreimage: false,
            cancels: false,
            offers: configuration.offerLabel == nil ? .none : .ownOffers,
            textLimit: 128
        )
    }

    /// The node by `getinfo`. Its channels are not announced; its invoices contain a hint to its peer.
    public func nodeInfo() async throws(BackendFault) -> NodeInfo {
        try await describedNode(anew: true).info
    }

    /// What the channels can receive, in whole satoshis, or more if the configuration lets the node buy liquidity.
    public func limits() async throws(BackendFault) -> ReceiveLimits {
        let receivable = try await describedNode(anew: false).receivable
        let maximum = max(receivable, configuration.maximumWithPurchase ?? .zero)
        guard let limits = ReceiveLimits(minimum: Millisatoshi(1000), maximum: maximum)?.wholeSatoshis() else {
            throw .nothingReceivable
        }
        return limits
    }

    /// Receives the node's webhooks, if it sends any.
    public var webhooks: (any WebhookSource)? { webhookSource }

    /// Calls the node, and clears cached responses when the node may be gone.
    func ask<Value: Sendable>(
        _ body: (PhoenixdClient) async throws(PhoenixdClient.Fault) -> Value
    ) async throws(BackendFault) -> Value {
        do {
            return try await body(client)
        } catch {
            let fault = BackendFault(error)
            if fault.isTransient { await node.forget() }
            throw fault
        }
    }

    private func describedNode(anew: Bool) async throws(BackendFault) -> NodeDescription {
        if anew { await node.forget() }
        return try await node.value { () async throws(BackendFault) in
            let body = try await self.ask { client throws(PhoenixdClient.Fault) in try await client.get("/getinfo") }
            return try NodeDescription(try NodeAnswer(body, self.configuration.limits))
        }
    }
}
