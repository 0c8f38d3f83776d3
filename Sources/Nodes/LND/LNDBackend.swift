import BlindedPaths
import LightningCoding
import LightningCrypto
import OutboundHTTP
package import ResponderModel

/// An LND node, v0.15 or later, over its REST interface; offers need v0.18.3, the first that can be paid over blinded
/// paths.
///
/// Connects on demand: the node may start later or restart. Macaroon and certificate may be written later too.
package final class LNDBackend: Sendable {
    package let configuration: LNDConfiguration
    let client: LNDClient
    let pause: @Sendable () async throws -> Void
    private let channels: CachedAnswer<[LNDChannel]>
    private let relays: CachedAnswer<[PaymentPath.Relay]>

    /// Creates the backend; the node need not be running yet.
    ///
    /// - Parameters:
    ///   - pause: waits before a node that has never been paid is queried again.
    /// - Throws: `BackendFault.refused` when the macaroon would be sent unencrypted.
    package init(
        _ configuration: LNDConfiguration,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(500)) }
    ) throws(BackendFault) {
        _ = try NodeURL(configuration.url)
        self.configuration = configuration
        self.pause = pause
        client = LNDClient(configuration)
        channels = CachedAnswer(for: configuration.limits.memory)
        relays = CachedAnswer(for: .seconds(60))
    }
}

extension LNDBackend: ReceiveBackend {
    /// Exact amounts, preimages of our choice; offers if configured.
    package var capabilities: BackendCapabilities {
        BackendCapabilities(
            precision: .millisatoshi,
            acceptsPreimage: true,
            cancels: true,
            offers: configuration.answersOffers ? .builtHere : .none
        )
    }

    /// The node by `getinfo`; if offers are answered, its peers, most receivable first. A node that does not accept
    /// payments over blinded paths is reachable neither by its id nor through its peers.
    package func nodeInfo() async throws(BackendFault) -> NodeInfo {
        let node = try await info()
        let channels = try await usableChannels()
        let isReached = configuration.answersOffers ? try Self.takesBlindedPayments(node) : false
        return NodeInfo(
            nodeID: try node.parsed("identity_pubkey") { try PublicKey(hexadecimal: $0) },
            network: try Self.network(node),
            blockHeight: UInt32(clamping: try node.lenientNumber("block_height")),
            isSynchronized: try node.flag("synced_to_chain"),
            isPublic: (isReached || !configuration.answersOffers) && channels.contains { !$0.isPrivate },
            introductionPeers: isReached ? try await introductionPeers(channels) : [],
            alias: try node.text("alias"),
            version: "LND " + BackendFault.words(try node.text("version"))
        )
    }

    private func info() async throws(BackendFault) -> NodeAnswer {
        try await ask { client throws(LNDFault) in
            do throws(LNDFault) {
                return try await client.call(.get, "/v1/getinfo", needing: .readInfo)
            } catch {
                guard case .refused(let refusal, _) = error, refusal.isPermissionDenied else { throw error }
                // Lists all missing permissions, to help repair the macaroon.
                throw .backend(await denial())
            }
        }
    }

    /// From the least that one channel accepts and its peer forwards to what all channels together can receive (LND's
    /// invoices allow multi-part payments).
    package func limits() async throws(BackendFault) -> ReceiveLimits {
        let channels = try await usableChannels()
        let maximum = channels.reduce(UInt64(0)) { min($0 + $1.receivable.msat, Millisatoshi.maximum.msat) }
        let taken = channels.map(\.htlcMinimum).min() ?? .zero
        let forwarded = try await introductionPeers(channels).map(\.htlcMinimum).min() ?? .zero
        let minimum = max(taken, forwarded)
        let limits = ReceiveLimits(minimum: max(minimum, Millisatoshi(1)), maximum: Millisatoshi(maximum))
        guard let limits else { throw .nothingReceivable }
        return limits
    }

    /// Calls the node, and clears cached responses when the node may be gone.
    func ask<Value: Sendable>(
        _ body: (LNDClient) async throws(LNDFault) -> Value
    ) async throws(BackendFault) -> Value {
        do {
            return try await body(client)
        } catch {
            let fault = BackendFault(error)
            if fault.isTransient {
                channels.forget()
                relays.forget()
            }
            throw fault
        }
    }

    func usableChannels() async throws(BackendFault) -> [LNDChannel] {
        try await channels.value { () async throws(BackendFault) in
            let answer = try await self.ask { client throws(LNDFault) in
                try await client.call(
                    .get, "/v1/channels", query: [("active_only", "true")], needing: .readChannels)
            }
            var channels: [LNDChannel] = []
            for channel in try answer.elements("channels") where try channel.flag("active") {
                channels.append(try LNDChannel(channel))
            }
            return channels
        }
    }

    /// The hops to us through the channels that can receive most; only the node's own graph has the terms of private
    /// ones.
    private func introductionPeers(_ channels: [LNDChannel]) async throws(BackendFault) -> [PaymentPath.Relay] {
        let best = channels.sorted { $0.receivable > $1.receivable }.prefix(Self.maximumPeers)
        let known = try await relays.value { () async throws(BackendFault) in
            var relays: [PaymentPath.Relay] = []
            for channel in best {
                guard let edge = try await self.edge(of: channel) else { continue }
                if let relay = try PaymentPath.Relay(channel, edge) { relays.append(relay) }
            }
            return relays
        }
        // Terms are cached for a minute; channels closed since are dropped.
        return known.filter { relay in channels.contains { relay.next == .channel($0.forwardingID) } }
    }

    /// A channel in the node's graph; nil when it is not there yet.
    private func edge(of channel: LNDChannel) async throws(BackendFault) -> NodeAnswer? {
        try await ask { client throws(LNDFault) -> NodeAnswer? in
            do throws(LNDFault) {
                return try await client.call(.get, "/v1/graph/edge/\(channel.id)", needing: .readInfo)
            } catch {
                if case .refused(let refusal, _) = error, refusal.message.contains("edge not found") { return nil }
                throw error
            }
        }
    }

    private static let maximumPeers = 5

    /// Whether the node announces route blinding (BOLT 9, bits 24 and 25) and can be paid that way: before v0.18.3 it
    /// only forwards such payments. If the version is not three numbers, only the features count.
    private static func takesBlindedPayments(_ node: NodeAnswer) throws(BackendFault) -> Bool {
        guard node.has("features") else { return false }
        let features = try node.member("features")
        let version = try node.text("version").split(separator: "-", maxSplits: 1).first ?? ""
        let numbers = version.split(separator: ".").compactMap { UInt64($0) }
        let isTooOld = numbers.count == 3 && numbers.lexicographicallyPrecedes([0, 18, 3])
        return !isTooOld && (features.has("24") || features.has("25"))
    }

    private static func network(_ node: NodeAnswer) throws(BackendFault) -> Network {
        guard let chain = try node.elements("chains").first else { throw node.fault("chains") }
        let name = try chain.text("network")
        if name.isExactly("mainnet") { return .bitcoin }
        guard let network = Network(exactly: name), network != .bitcoin else {
            throw .malformedAnswer("an unknown network: \(BackendFault.words(name))")
        }
        return network
    }
}
