import LNURL
import LightningCoding
import OutboundHTTP

/// The service that the user named, and the hosts that it refers to.
struct Service {
    /// The host that the user named, and those whose addresses the user gave.
    private let chosenHosts: Set<String>
    private let timeout: Duration
    private let named: HTTPClient
    private let pointedTo: HTTPClient

    init(at url: HTTPURL, _ configuration: HTTPClient.Configuration, timeout: Duration) throws(ToolFault) {
        chosenHosts = Set([url.host.lowercased()] + configuration.pinnedHosts.map(\.host))
        self.timeout = timeout
        var elsewhere = configuration
        // The user chose those hosts; another that they refer to must not be in the user's own network. Behind a
        // proxy, addresses cannot be checked, and the network is not ours.
        if configuration.proxy == .none {
            elsewhere.addressPolicy = AddressPolicy(scope: url.isLoopback ? .publicAndLoopback : .publicOnly)
        }
        named = try rethrowing(HTTPClient(configuration)) { ToolFault.network($0, url) }
        pointedTo = try rethrowing(HTTPClient(elsewhere)) { ToolFault.network($0, url) }
    }

    func get(_ url: HTTPURL) async throws(ToolFault) -> ServiceAnswer {
        try ServiceAnswer(await send(.get, to: url))
    }

    /// Sends a request, with a body of JSON if any, and returns the response whatever its status.
    func send(
        _ method: HTTPMethod, _ body: [UInt8] = [], headers: [HTTPField] = [], to url: HTTPURL
    ) async throws(ToolFault) -> HTTPResponse {
        let usual: [HTTPField] = body.isEmpty ? [.acceptJSON] : [.acceptJSON, .jsonContent]
        let request = HTTPRequest(method, url, headers: usual + headers, body: body)
        return try await outcome(of: request).mapError { ToolFault.network($0, url) }.get()
    }

    func outcome(of request: HTTPRequest) async -> Result<HTTPResponse, OutboundFault> {
        var request = request
        request.timeout = timeout
        let client = chosenHosts.contains(request.url.host.lowercased()) ? named : pointedTo
        do throws(OutboundFault) {
            return .success(try await client.send(request))
        } catch {
            return .failure(error)
        }
    }
}

/// A JSON response that is not an ERROR. The body counts, whatever the HTTP status (LUD-01).
struct ServiceAnswer {
    let json: JSONValue
    let response: HTTPResponse

    init(_ response: HTTPResponse) throws(ToolFault) {
        try response.refuseRedirect()
        json = try rethrowing(
            JSONValue(parsing: response.body), as: ToolFault.notJSON(response))
        if let error = ErrorResponse(json: json) {
            throw .refused(reason: error.reason, status: response.status)
        }
        self.response = response
    }
}

extension HTTPResponse {
    /// Wallets do not follow redirects.
    func refuseRedirect() throws(ToolFault) {
        guard (300...399).contains(status) else { return }
        throw .redirected(to: headers.first(named: "Location"), status: status)
    }

    /// A forwarder asks again after a temporary failure, and the payer is not told.
    func refuseTemporaryFailure() throws(ToolFault) {
        guard ![429, 502, 503, 504].contains(status) else { throw .unavailable(status: status) }
    }
}
