import LightningCoding

/// Sends requests with libcurl, many at once from one thread, reusing connections.
///
/// Nothing is taken from the environment: no proxy, credentials or cookies. TLS certificates are always verified,
/// redirects are not followed, and limits bound what a hostile server may send. Clients share no connections, so each
/// keeps to its own address policy.
///
/// ```swift
/// let client = try HTTPClient()
/// let response = try await client.send(HTTPRequest(.get, url, headers: [.acceptJSON], timeout: .seconds(5)))
/// ```
package final class HTTPClient: Sendable {
    let mailbox: TransferMailbox
    private let configuration: Configuration

    /// Starts the client's thread, which ends with ``close()`` or when the last reference is released.
    package init(_ configuration: Configuration = Configuration()) throws(OutboundFault) {
        self.configuration = configuration
        mailbox = try TransferLoop.start(configuration)
    }

    deinit {
        close()
    }

    /// Sends one request and waits for the complete response, whatever its status.
    ///
    /// Returns at once when the task is canceled.
    package func send(_ request: HTTPRequest) async throws(OutboundFault) -> HTTPResponse {
        let outcome = await outcome(of: request)
        configuration.trace?(HTTPExchange(request: request, outcome: outcome))
        return try outcome.get()
    }

    /// Fails all requests in flight with ``OutboundFault/closed`` and closes the connections.
    package func close() {
        mailbox.close()
    }

    private func outcome(of request: HTTPRequest) async -> Result<HTTPResponse, OutboundFault> {
        if let fault = fault(before: request) { return .failure(fault) }
        let id = mailbox.makeID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.submit(Submission(id: id, request: request, receiver: .task(continuation, end: nil)))
                // A cancellation before the submission had nothing to cancel.
                if Task.isCancelled { mailbox.post(.cancel(id)) }
            }
        } onCancel: {
            mailbox.post(.cancel(id))
        }
    }

    /// Why a request is refused before it starts.
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
    package struct Configuration: Sendable {
        /// How many requests are in flight at once; more wait: those to one host in order of arrival, hosts in turn.
        package var maximumConcurrency = 64
        /// How many of them to one host and port, so that a slow host leaves capacity for others.
        package var maximumConcurrencyPerHost = Int.max
        /// How many of them to the addresses of one network, /24 or /48, whatever their hosts are called: one more is refused
        /// with ``OutboundFault/overloaded``, since its address is known too late for it to wait. As many again to what has
        /// answered there before. Not through a proxy.
        package var maximumConcurrencyPerNetwork = Int.max
        /// How many of them while the address of their host is not known yet, and how long that may take: one more is refused
        /// with ``OutboundFault/overloaded``, one that takes longer with ``OutboundFault/resolve``. As many again to hosts that
        /// have answered before. Not through a proxy.
        package var maximumConcurrencyUnresolved = Int.max
        /// See ``maximumConcurrencyUnresolved``; nil for as long as connecting may take.
        package var resolveTimeout: Duration?
        /// How many may wait; more are refused with ``OutboundFault/overloaded``.
        package var maximumWaiting = 10_000
        /// How long connecting may take, within the request's own timeout.
        package var connectTimeout = Duration.seconds(10)
        /// The longest accepted header section, in bytes.
        package var maximumHeaderBytes = 32 << 10
        /// The longest accepted body, in bytes.
        package var maximumBodyBytes = 1 << 20
        /// How the client speaks HTTP/2 and nothing else; nil for whatever the server prefers. There is then one
        /// connection to each host, which is kept for hours, and requests share it. A server may allow fewer requests at
        /// once than are sent to it before it has said so: see to it that the first one goes alone.
        package var http2: HTTP2?
        package var proxy = Proxy.none
        package var addressPolicy = AddressPolicy.any
        /// A file of trusted certificates (PEM) in place of the system's.
        package var certificateAuthorities: String?
        /// The only key that a server may have. It replaces all other certificate checks: issuer, name and dates are
        /// ignored. For servers with self-signed certificates.
        package var pinnedKey: PinnedKey?
        /// Addresses to use for a host and port instead of resolving it.
        package var pinnedHosts: [PinnedHost] = []
        /// The `User-Agent`.
        package var userAgent = "lightning-responder/" + SoftwareVersion.text
        /// Called with each finished exchange, in the sender's task.
        package var trace: (@Sendable (HTTPExchange) -> Void)?

        package init() {}

        /// Whether it counts what is on its way to each network, or to nobody knows where.
        var countsPlaces: Bool {
            maximumConcurrencyPerNetwork < .max || maximumConcurrencyUnresolved < .max || resolveTimeout != nil
        }
    }
}

/// How a connection becomes one of HTTP/2.
package enum HTTP2: Sendable {
    /// As TLS agrees it.
    case overTLS
    /// Without TLS, since the server is known to speak it.
    case priorKnowledge
}

package struct PinnedHost: Hashable, Sendable {
    /// The name in lower case.
    package let host: String
    let port: UInt16
    /// In libcurl's syntax.
    let addresses: [String]

    /// Creates one from a host name without brackets and numeric addresses, tried in this order; `nil` when there is
    /// none, or one is not an address.
    package init?(host: String, port: UInt16, addresses: [String]) {
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

    /// Creates one from a host name without brackets and a numeric address; `nil` when that is not an address.
    package init?(host: String, port: UInt16, address: String) {
        self.init(host: host, port: port, addresses: [address])
    }
}

extension HTTPClient {
    /// A request that was started. It keeps its client open.
    package struct Sending: Sendable {
        private let client: HTTPClient
        private let id: TransferID

        fileprivate init(_ id: TransferID, over client: HTTPClient) {
            self.id = id
            self.client = client
        }

        /// Ends the request with ``OutboundFault/canceled``, unless it has ended.
        package func cancel() {
            client.mailbox.post(.cancel(id))
        }
    }

    /// Starts one request for a task that waits. It is not traced.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - continuation: resumed with the outcome, unless this throws.
    ///   - end: takes the outcome before, on the client's thread, and so must not block. The requests that it starts leave
    ///     together with those that other ends have started.
    /// - Throws: why the request is not sent; then its end is not called.
    package func start(
        _ request: HTTPRequest, resuming continuation: CheckedContinuation<Result<HTTPResponse, OutboundFault>, Never>,
        end: @escaping @Sendable (Result<HTTPResponse, OutboundFault>) -> Void
    ) throws(OutboundFault) -> Sending {
        if let fault = fault(before: request) { throw fault }
        let id = mailbox.makeID()
        guard mailbox.post(.submit(Submission(id: id, request: request, receiver: .task(continuation, end: end))))
        else {
            throw .closed
        }
        return Sending(id, over: self)
    }
}

extension HTTPClient {
    /// Sends one request and reads the response as it arrives, whatever its status.
    ///
    /// The request's timeout applies until the connection is established; after that the stream lasts until either side
    /// ends it, so a server may be silent for days. A dead peer is detected by TCP keep-alive within a minute
    /// (``KeepAlive``). The body limit does not apply: the reader must bound what it keeps. A stream counts against the
    /// client's concurrency while it lasts, and is not traced.
    package func stream(_ request: HTTPRequest) -> HTTPStream {
        HTTPStream(request, over: self)
    }

    func open(_ request: HTTPRequest) -> StreamPipe {
        let id = mailbox.makeID()
        let mailbox = mailbox
        let pipe = StreamPipe(resume: { mailbox.post(.resume(id)) }, cancel: { mailbox.post(.cancel(id)) })
        if let fault = fault(before: request) {
            pipe.finish(.failure(fault))
        } else {
            mailbox.submit(Submission(id: id, request: request, receiver: .stream(pipe)))
        }
        return pipe
    }
}
