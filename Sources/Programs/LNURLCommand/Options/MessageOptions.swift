import ArgumentParser
import Bolt12
import LightningCoding
import LightningCrypto
import OnionMessages
import OnionPeer

struct MessageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The node to connect to: one of the offer's introduction nodes, or one that knows them.",
            valueName: "node-id@host:port"),
        transform: Self.address)
    var via: PeerAddress

    @Option(help: ArgumentHelp("How long to wait for the invoice.", valueName: "seconds"))
    var timeout: Double = 30

    @Flag(help: "Use Tor on this machine, the same as --proxy 127.0.0.1:9050.")
    var tor = false

    @Option(help: ArgumentHelp("Use a SOCKS 5 proxy.", valueName: "host:port"), transform: Self.proxy)
    var proxy: ListenAddress?

    var time: Duration { .milliseconds(Int64((timeout * 1000).rounded(.up))) }

    func validate() throws {
        guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout must be 0.001 to 3600 seconds.") }
        guard !tor || proxy == nil else { throw ValidationError("--tor and --proxy cannot be combined.") }
    }

    /// Connects to the node, which must be on the network of the payment: the connection, and the onion messages received
    /// over it, each without its type.
    func connect(
        as key: SecretKey, on chain: ChainHash
    ) async throws(ToolFault) -> (link: PeerLink, arrivals: AsyncStream<[UInt8]>) {
        guard let network = chain.network else { throw .terms(.unsupportedChain) }
        let tor = tor ? ListenAddress(host: "127.0.0.1", port: 9050) : nil
        let connector = PeerConnector(network: network, proxy: tor ?? proxy)
        return try await awaiting(await connector.connect(to: via, as: key)) { ToolFault.peer($0, via) }
    }

    private static func address(_ text: String) throws -> PeerAddress {
        try rethrowing(
            PeerAddress(text),
            as: ValidationError("A node must be NODE-ID@HOST:PORT, with an id of 66 hexadecimal digits."))
    }

    private static func proxy(_ text: String) throws -> ListenAddress {
        try rethrowing(ListenAddress(text), as: ValidationError("A proxy must be HOST:PORT."))
    }
}
