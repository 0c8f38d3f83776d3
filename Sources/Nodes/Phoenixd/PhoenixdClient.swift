import LightningCoding
import OutboundHTTP
import Platform
import ResponderModel

/// The node's HTTP interface: GET for queries, POST of a form for commands, Basic authentication without a user
/// (`src/commonMain/kotlin/fr/acinq/phoenixd/Api.kt`). The password is read at the first call, and again when it is
/// rejected.
final class PhoenixdClient: Sendable {
    private let configuration: PhoenixdConfiguration
    private let client: HTTPClient
    private let password = Guarded<HTTPField?>(nil)

    init(_ configuration: PhoenixdConfiguration) throws(BackendFault) {
        self.configuration = configuration
        client = try rethrowing(HTTPClient(HTTPClient.Configuration(configuration.limits))) { (fault: OutboundFault) in
            BackendFault(fault)
        }
    }

    /// The answer to a query; nil for status 404, which phoenixd returns for unknown payments.
    func get(_ path: String, query: [(name: String, value: String)] = []) async throws(BackendFault) -> [UInt8]? {
        try await send(.get, configuration.url.appendingPath(path).appendingQuery(query), [], [])
    }

    func post(_ path: String, form: [(name: String, value: String)]) async throws(BackendFault) -> [UInt8]? {
        let body = form.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        return try await send(
            .post, configuration.url.appendingPath(path), [.formContent], Array(body.joined(separator: "&").utf8))
    }

    private func send(
        _ method: HTTPMethod, _ url: HTTPURL, _ headers: [HTTPField], _ body: [UInt8]
    ) async throws(BackendFault) -> [UInt8]? {
        let request = HTTPRequest(
            method, url, headers: [try authorization(), .acceptJSON] + headers, body: body,
            timeout: configuration.limits.answerTimeout)
        let response = try await awaiting(await client.send(request)) { (fault: OutboundFault) in BackendFault(fault) }
        switch response.status {
        case 200: return response.body
        case 404: return nil
        case 401:
            password.withLock { $0 = nil }
            throw .refused("the password is not accepted")
        case 502, 503, 504: throw .unreachable("status \(response.status)")
        default:
            let words = BackendFault.words(String(decoding: response.body.prefix(1000), as: UTF8.self))
            throw .refused("status \(response.status): \(words)")
        }
    }

    private func authorization() throws(BackendFault) -> HTTPField {
        if let field = password.withLock({ $0 }) { return field }
        let secret = try SecretFile("password", path: configuration.passwordPath).text()
        let basic = "Basic " + Base64.encode(Array(":".utf8) + Array(secret))
        guard let field = try? HTTPField("Authorization", basic, isSecret: true) else {
            throw .refused("the password file \(configuration.passwordPath) holds no password")
        }
        password.withLock { $0 = field }
        return field
    }
}
