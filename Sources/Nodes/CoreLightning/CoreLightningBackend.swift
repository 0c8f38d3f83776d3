import LightningCoding
package import ResponderModel

/// A Core Lightning node, v25.02 or later, over its JSON-RPC socket or clnrest.
///
/// Connects on demand and reconnects: the node may start later or restart. Rune and certificate may be written later
/// too.
package final class CoreLightningBackend: Sendable {
    package let configuration: CoreLightningConfiguration
    let transport: any CommandTransport
    let channels: CachedAnswer<[PeerChannel]>

    /// Creates the backend; the node need not be running yet.
    ///
    /// - Throws: `BackendFault.refused` when the rune would be sent unencrypted.
    package convenience init(_ configuration: CoreLightningConfiguration) throws(BackendFault) {
        let transport: any CommandTransport
        switch configuration.transport {
        case .socket(let path): transport = SocketClient(path: path, configuration.limits)
        case .rest(let url, let runePath, let certificatePath):
            transport = RESTClient(
                try NodeURL(url).url, runePath: runePath, certificatePath: certificatePath, configuration.limits)
        }
        self.init(configuration, transport)
    }

    init(_ configuration: CoreLightningConfiguration, _ transport: any CommandTransport) {
        self.configuration = configuration
        self.transport = transport
        channels = CachedAnswer(for: configuration.limits.memory)
    }

    /// Executes a command and reads its response; the node's own errors are mapped.
    func call(
        _ method: String, _ parameters: JSONObject = [:], filter: JSONValue? = nil
    ) async throws(BackendFault) -> NodeAnswer {
        do {
            return try NodeAnswer(try await perform(method, parameters, filter: filter))
        } catch let fault as CommandFault {
            throw BackendFault(fault)
        } catch {
            throw (error as? BackendFault) ?? .malformedAnswer("")
        }
    }

    /// Executes a command that responds without waiting for an event.
    func perform(
        _ method: String, _ parameters: JSONObject = [:], filter: JSONValue? = nil
    ) async throws(CommandFault) -> JSONValue {
        let command = Command(
            method: method, parameters: parameters, filter: filter, timeout: configuration.limits.answerTimeout)
        do {
            return try await transport.call(command)
        } catch {
            if error.leavesNodeInDoubt { channels.forget() }
            throw error
        }
    }
}

extension CoreLightningBackend: ReceiveBackend {
    /// Exact amounts, preimages of our choice, offers as configured. The node hashes texts of any length.
    package var capabilities: BackendCapabilities {
        BackendCapabilities(
            precision: .millisatoshi,
            acceptsPreimage: true,
            cancels: true,
            offers: configuration.usesOwnOffers ? .ownOffers : .builtHere
        )
    }

    /// The node by `getinfo`, its peers by `listpeerchannels`, most receivable first.
    package func nodeInfo() async throws(BackendFault) -> NodeInfo {
        var node = try NodeInfo(getinfo: await call("getinfo"))
        let channels = try await usableChannels()
        node.isPublic = channels.contains { !$0.isPrivate }
        node.introductionPeers = channels.sorted { $0.receivable > $1.receivable }.compactMap(\.relay)
        return node
    }

    /// From the least that one channel accepts to what the channels usable by payers can receive together (the node's
    /// invoices allow multi-part payments).
    ///
    /// lightningd puts private channels into an invoice only when it has no public ones. Up to one millisatoshi less
    /// than its total it does not warn about capacity.
    package func limits() async throws(BackendFault) -> ReceiveLimits {
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
