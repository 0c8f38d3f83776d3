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

    /// Calls the node; nil for status 404, which phoenixd returns for unknown payments.
    ///
    /// - Parameter items: the query of a GET, the form of a POST.
    func call(
        _ method: HTTPMethod, _ path: String, _ items: [(name: String, value: String)]
    ) async throws(BackendFault) -> [UInt8]? {
        var request = HTTPRequest(
            method, configuration.url.appendingPath(path), headers: [try authorization(), .acceptJSON],
            timeout: configuration.limits.answerTimeout)
        if method == .get {
            request.url = request.url.appendingQuery(items)
        } else {
            let form = items.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
            request.headers.append(.formContent)
            request.body = Array(form.joined(separator: "&").utf8)
        }
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
