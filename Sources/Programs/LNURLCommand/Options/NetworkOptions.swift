import ArgumentParser
import LightningCoding
import OutboundHTTP
import Platform

struct NetworkOptions: ParsableArguments {
    @Flag(help: "Show requests and answers, bodies and times included, on standard error; secrets are hidden.")
    var trace = false

    @Option(help: ArgumentHelp("How long each request may take.", valueName: "seconds"))
    var timeout: Double = 20

    @Flag(help: "Use Tor on this machine, the same as --proxy socks5h://127.0.0.1:9050.")
    var tor = false

    @Option(
        help: ArgumentHelp("Use a proxy: socks5h://HOST:PORT or http://HOST:PORT.", valueName: "url"),
        transform: Self.proxy)
    var proxy: Proxy?

    @Option(help: ArgumentHelp("Trust only the certificates in this file.", valueName: "file"))
    var caFile: String?

    @Option(
        help: ArgumentHelp("Use this address for a host; may be repeated.", valueName: "host:port:address"),
        transform: Self.pinnedHost)
    var resolve: [PinnedHost] = []

    func validate() throws {
        guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout must be 0.001 to 3600 seconds.") }
        guard !tor || proxy == nil else { throw ValidationError("--tor and --proxy cannot be combined.") }
    }

    /// A client for the service that the user named.
    ///
    /// - Parameter isSecret: whether the last segment of the URL's path is a secret, as in a webhook's URL.
    func service(at url: HTTPURL, isSecret: Bool = false) throws(ToolFault) -> Service {
        if let caFile { _ = try Streams.read(caFile) }
        var configuration = HTTPClient.Configuration()
        configuration.userAgent = "lnurl/" + SoftwareVersion.text
        configuration.proxy = tor ? .tor : proxy ?? .none
        configuration.certificateAuthorities = caFile
        configuration.pinnedHosts = resolve
        if trace {
            configuration.trace = { exchange in
                let lines = exchange.transcript(hidingPath: isSecret).map { $0 + "\n" }
                StandardStream.error.write(lines.joined())
            }
        }
        return try Service(at: url, configuration, timeout: .milliseconds(Int64((timeout * 1000).rounded(.up))))
    }

    private static func proxy(_ text: String) throws -> Proxy {
        guard let proxy = Proxy(text) else {
            throw ValidationError("A proxy must be socks5h://HOST:PORT or http://HOST:PORT.")
        }
        return proxy
    }

    private static func pinnedHost(_ text: String) throws -> PinnedHost {
        let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, let port = UInt16(parts[1]),
            let pin = PinnedHost(host: parts[0], port: port, address: parts[2])
        else { throw ValidationError("An address must be HOST:PORT:ADDRESS, with a numeric address.") }
        return pin
    }
}
