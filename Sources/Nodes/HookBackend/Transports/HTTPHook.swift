import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import ResponderModel

/// A hook that is a service: `POST {url}/{method}` with the parameters as a JSON object.
struct HTTPHook: HookTransport {
    private let client: HTTPClient
    private let url: HTTPURL
    private let tokenFile: SecretFile?
    private let authorization = Guarded<HTTPField?>(nil)

    init(
        _ url: HTTPURL, _ tokenPath: String?, certificateAuthorities: String?, _ limits: CallLimits
    ) throws(BackendFault) {
        if tokenPath != nil { _ = try NodeURL(url) }
        var configuration = HTTPClient.Configuration(limits)
        configuration.certificateAuthorities = certificateAuthorities
        client = try rethrowing(HTTPClient(configuration)) { (fault: OutboundFault) in BackendFault(fault) }
        self.url = url
        tokenFile = tokenPath.map { SecretFile("token", path: $0) }
    }

    func call(
        _ method: HookMethod,
        _ parameters: JSONObject,
        within time: Duration
    ) async throws(BackendFault) -> HookResponse {
        let request = try request(method, parameters, within: time)
        let response = try await awaiting(await client.send(request)) { (fault: OutboundFault) in
            BackendFault(fault)
        }
        // The file may hold a new token by now.
        if response.status == 401 || response.status == 403 { authorization.withLock { $0 = nil } }
        let body = try? JSONValue(parsing: response.body)
        guard response.status == 200 else {
            if let error = body?["error"], error.object != nil { return .error(error) }
            throw BackendFault(statusWithoutError: response.status)
        }
        guard let body else { throw .malformedAnswer("\(method): no JSON") }
        return .result(body)
    }

    func close() { client.close() }

    private func request(
        _ method: HookMethod,
        _ parameters: JSONObject,
        within time: Duration
    ) throws(BackendFault) -> HTTPRequest {
        HTTPRequest(
            .post, url.appendingPath("/" + method.rawValue),
            headers: [.acceptJSON, .jsonContent] + (try authorize()),
            body: JSONValue.object(parameters).serializedBytes(), timeout: time
        )
    }

    private func authorize() throws(BackendFault) -> [HTTPField] {
        guard let tokenFile else { return [] }
        if let field = authorization.withLock({ $0 }) { return [field] }
        let token = try tokenFile.text().withBytes { String(decoding: $0, as: UTF8.self) }
        guard let field = try? HTTPField("Authorization", "Bearer \(token)", isSecret: true) else {
            throw .refused("the token file \(tokenFile.path) holds no token")
        }
        authorization.withLock { $0 = field }
        return [field]
    }
}

extension BackendFault {
    /// A response with a status other than 200 that is not the hook's own, as from a proxy.
    fileprivate init(statusWithoutError status: Int) {
        let words = "status \(status)"
        self = status >= 500 || status == 429 ? .unreachable(words) : .refused(words)
    }
}
