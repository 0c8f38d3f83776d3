import LightningCoding
import NodeHTTP
public import Contracts

/// A Core Lightning node, v23.05 or later, by its JSON-RPC socket or by clnrest.
///
/// Connections are made when they are needed and made again when they break: the node may be started later than this, and may be
/// restarted. The same holds for the rune and the certificate, which may be written later.
public final class CoreLightningBackend: Sendable {
    /// What the backend was told at its start.
    public let configuration: CoreLightningConfiguration
    let transport: any CommandTransport
    let channels: ShortMemory<[PeerChannel]>

    /// Prepares the backend; the node need not be there yet.
    ///
    /// - Throws: `BackendFault.refused` when the rune would travel in the open.
    public convenience init(_ configuration: CoreLightningConfiguration) throws(BackendFault) {
        let transport: any CommandTransport
        switch configuration.transport {
        case .socket(let path): transport = SocketClient(path: path, configuration.limits)
        case .rest(let url, let runePath, let certificatePath):
            transport = RESTClient(
                RestAddress(try NodeURL(url), runePath: runePath, certificatePath: certificatePath),
                configuration.limits)
        }
        self.init(configuration, transport)
    }

    init(
        _ configuration: CoreLightningConfiguration, _ transport: any CommandTransport,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.configuration = configuration
        self.transport = transport
        channels = ShortMemory(for: configuration.limits.memory, now: now)
    }

    /// Lets go of the connections; whatever is under way ends with a fault.
    public func close() async {
        await transport.close()
    }

    /// Carries a command out and takes its answer apart; the node's own errors are as everybody above understands them.
    func call(
        _ method: String, _ parameters: JSONObject = [:], filter: JSONValue? = nil
    ) async throws(BackendFault) -> NodeAnswer {
        do {
            return try NodeAnswer(try await perform(method, parameters, filter: filter), "")
        } catch let fault as CommandFault {
            throw BackendFault(fault)
        } catch {
            throw (error as? BackendFault) ?? .malformedAnswer("")
        }
    }

    /// Carries a command out, whose answer takes no longer than the node needs to make it.
    func perform(
        _ method: String, _ parameters: JSONObject = [:], filter: JSONValue? = nil
    ) async throws(CommandFault) -> JSONValue {
        let command = Command(
            method: method, parameters: parameters, filter: filter, timeout: configuration.limits.answerTimeout)
        do {
            return try await transport.call(command)
        } catch {
            if error.leavesNodeInDoubt { await channels.forget() }
            throw error
        }
    }
}

extension CoreLightningBackend: ReceiveBackend {
    /// Exact amounts, preimages of our choice, and offers as configured. A text of any length is hashed by the node.
    public var capabilities: BackendCapabilities {
        BackendCapabilities(
            precision: .millisatoshi,
            acceptsPreimage: true,
            cancels: true,
            offers: {
                switch configuration.offers {
                case .builtHere: .builtHere
                case .ownOffers: .ownOffers
                }
            }()
        )
    }

    /// The node by `getinfo`, its peers by `listpeerchannels`: those who can send most first.
    public func nodeInfo() async throws(BackendFault) -> NodeInfo {
        let node = try NodeDescription(try await call("getinfo"))
        let channels = try await usableChannels()
        return NodeInfo(
            nodeID: node.nodeID,
            network: node.network,
            blockHeight: node.blockHeight,
            isSynchronised: node.isSynchronised,
            isPublic: channels.contains { !$0.isPrivate },
            introductionPeers: channels.sorted { $0.receivable > $1.receivable }.compactMap(\.relay),
            alias: node.alias,
            version: node.version
        )
    }

    /// From the least that one channel takes to what the channels that payers find can receive together (the node's invoices
    /// allow payments in parts).
    ///
    /// lightningd names private channels in an invoice only when it has no public ones. At one millisatoshi less than all that
    /// it can receive it does not yet warn that it cannot.
    public func limits() async throws(BackendFault) -> ReceiveLimits {
        let channels = try await usableChannels()
        let isPublic = channels.contains { !$0.isPrivate }
        let found = channels.filter { !isPublic || !$0.isPrivate }
        let sum = found.reduce(UInt64(0)) { sum, channel in
            min(sum + min(channel.receivable, .maximum).msat, Millisatoshi.maximum.msat)
        }
        let maximum = sum == 0 ? 0 : sum - 1
        let minimum = found.map(\.htlcMinimum).min() ?? .zero
        let limits = ReceiveLimits(minimum: max(minimum, Millisatoshi(1)), maximum: Millisatoshi(maximum))
        guard let limits else { throw .nothingReceivable }
        return limits
    }

    private func usableChannels() async throws(BackendFault) -> [PeerChannel] {
        try await channels.value { () async throws(BackendFault) in
            try PeerChannel.usable(in: try await self.call("listpeerchannels", filter: PeerChannel.filter))
        }
    }
}
