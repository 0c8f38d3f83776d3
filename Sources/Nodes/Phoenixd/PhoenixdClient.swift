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

    /// Why a call has no result.
    enum Fault: Error, Hashable, Sendable {
        /// Status 404, which phoenixd returns for unknown payments.
        case notFound
        case backend(BackendFault)
    }

    init(_ configuration: PhoenixdConfiguration) throws(BackendFault) {
        self.configuration = configuration
        client = try rethrowing(HTTPClient(HTTPClient.Configuration(configuration.limits))) { (fault: OutboundFault) in
            BackendFault(fault)
        }
    }

    func get(_ path: String, query: [(name: String, value: String)] = []) async throws(Fault) -> [UInt8] {
        try await send(.get, configuration.url.appendingPath(path).appendingQuery(query), [], [])
    }

    func post(_ path: String, form: [(name: String, value: String)]) async throws(Fault) -> [UInt8] {
        let body = form.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        return try await send(
            .post, configuration.url.appendingPath(path), [.formContent], Array(body.joined(separator: "&").utf8))
    }

    private func send(
        _ method: HTTPMethod, _ url: HTTPURL, _ headers: [HTTPField], _ body: [UInt8]
    ) async throws(Fault) -> [UInt8] {
        let request = HTTPRequest(
            method, url, headers: [try authorization(), .acceptJSON] + headers, body: body,
            timeout: configuration.limits.answerTimeout)
        let response = try await awaiting(await client.send(request)) { (fault: OutboundFault) in
            Fault.backend(BackendFault(fault))
        }
        switch response.status {
        case 200: return response.body
        case 404: throw .notFound
        case 401:
            password.withLock { $0 = nil }
            throw .backend(.refused("the password is not accepted"))
        case 502, 503, 504: throw .backend(.unreachable("status \(response.status)"))
        default:
            let words = BackendFault.words(String(decoding: response.body.prefix(1000), as: UTF8.self))
            throw .backend(.refused("status \(response.status): \(words)"))
        }
    }

    private func authorization() throws(Fault) -> HTTPField {
        if let field = password.withLock({ $0 }) { return field }
        do {
            let secret = try SecretFile("password", path: configuration.passwordPath).text()
            let field = try HTTPField(
                "Authorization", "Basic " + Base64.encode(Array(":".utf8) + Array(secret)), isSecret: true)
            password.withLock { $0 = field }
            return field
        } catch let fault as BackendFault {
            throw .backend(fault)
        } catch {
            throw .backend(.refused("the password file \(configuration.passwordPath) holds no password"))
        }
    }
}

extension BackendFault {
    init(_ fault: PhoenixdClient.Fault) {
        switch fault {
        case .notFound: self = .refused("status 404: no such call")
        case .backend(let fault): self = fault
        }
    }
}
