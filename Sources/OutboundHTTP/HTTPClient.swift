import LightningCoding

/// Sends requests over libcurl, many at once from one thread, keeping connections open between them.
///
/// Nothing comes from the environment: no proxy, no credentials, no cookies. TLS certificates are always verified,
/// redirects are answers like any other, and every limit holds for what a hostile server may send. A client's
/// connections are its own: clients with different address policies share none.
///
/// ```swift
/// let client = try HTTPClient()
/// let response = try await client.send(HTTPRequest(.get, url, headers: [.acceptJSON], timeout: .seconds(5)))
/// ```
public final class HTTPClient: Sendable {
    let mailbox: TransferMailbox
    private let configuration: Configuration

    /// Starts the client's thread, which ends with ``close()`` or with the last reference.
    public init(_ configuration: Configuration = Configuration()) throws(OutboundFault) {
        self.configuration = configuration
        mailbox = try TransferLoop.start(configuration)
    }

    deinit {
        close()
    }

    /// Sends one request and waits for the whole answer, whatever its status.
    ///
    /// Ends at once when the task is cancelled.
    public func send(_ request: HTTPRequest) async throws(OutboundFault) -> HTTPResponse {
        let outcome = await outcome(of: request)
        configuration.trace?(HTTPExchange(request: request, outcome: outcome))
        return try outcome.get()
    }

    /// Ends everything in flight with ``OutboundFault/closed`` and closes the connections.
    public func close() {
        mailbox.close()
    }

    private func outcome(of request: HTTPRequest) async -> Result<HTTPResponse, OutboundFault> {
        if let fault = fault(before: request) { return .failure(fault) }
        let id = mailbox.makeID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.submit(Submission(id: id, request: request, receiver: .task(continuation)))
                // A cancellation before the submission found nothing to end.
                if Task.isCancelled { mailbox.cancel(id) }
            }
        } onCancel: {
            mailbox.cancel(id)
        }
    }

    /// Why a request is not even begun.
    func fault(before request: HTTPRequest) -> OutboundFault? {
        let host = request.url.host
        guard configuration.addressPolicy.permits(host: host, through: configuration.proxy) else {
            return .refusedAddress
        }
        if request.url.isOnion {
            guard case .socks5 = configuration.proxy else { return .onionWithoutProxy }
        }
        return nil
    }
}

extension HTTPClient {
    /// How a client behaves; every limit of this door in one place.
    public struct Configuration: Sendable {
        /// How many requests are in flight at once; more wait, those to one host in order of arrival, the hosts by turns.
        public var maximumConcurrency = 64
        /// How many of them to one host and port, so that a slow one leaves places for the others.
        public var maximumConcurrencyPerHost = Int.max
        /// How many may wait; more are refused with ``OutboundFault/overloaded``.
        public var maximumWaiting = 10_000
        /// How long one connection may take to stand, within the request's own time.
        public var connectTimeout = Duration.seconds(10)
        /// The longest header section that is read, in bytes.
        public var maximumHeaderBytes = 32 << 10
        /// The longest body that is read, in bytes.
        public var maximumBodyBytes = 1 << 20
        /// Whether a connection is kept for the next request.
        public var reusesConnections = true
        /// Through what requests leave.
        public var proxy = Proxy.none
        /// Where they may go.
        public var addressPolicy = AddressPolicy.any
        /// A file of trusted certificates (PEM) in place of the system's.
        public var certificateAuthorities: String?
        /// The one key that a server may hold, in place of everything else that a certificate is examined for: neither
        /// issuer nor name nor dates count then. For servers that sign their own certificate.
        public var pinnedKey: PinnedKey?
        /// Addresses to use for a host and port in place of asking the resolver.
        public var pinnedHosts: [PinnedHost] = []
        /// What the client calls itself.
        public var userAgent = "lightning-responder/" + SoftwareVersion.text
        /// Is shown every exchange when it is over. Runs in the sender's task.
        public var trace: (@Sendable (HTTPExchange) -> Void)?

        /// The defaults.
        public init() {}
    }
}

/// A host and port whose address is known beforehand.
public struct PinnedHost: Hashable, Sendable {
    let host: String
    let port: UInt16
    /// As libcurl reads them.
    let addresses: [String]

    /// Takes a host name without brackets and numeric addresses, to be tried in this order; `nil` when there is none, or one
    /// is no address.
    public init?(host: String, port: UInt16, addresses: [String]) {
        guard !addresses.isEmpty, !host.isEmpty, !host.contains(":") else { return nil }
        var written: [String] = []
        for address in addresses {
            switch IPAddress(address) {
            case nil: return nil
            case .v4: written.append(address)
            case .v6: written.append("[\(address)]")
            }
        }
        self.host = host.lowercased()
        self.port = port
        self.addresses = written
    }

    /// Takes a host name without brackets and a numeric address; `nil` when the address is not one.
    public init?(host: String, port: UInt16, address: String) {
        self.init(host: host, port: port, addresses: [address])
    }
}
