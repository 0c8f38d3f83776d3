import LightningCoding
import OutboundHTTP
import Platform
import ResponderModel

/// The node's `clnrest`: each command is a POST with the rune. The credential files are read at the first command, and
/// again when TLS or the rune is rejected: certificate and rune may have been replaced.
final class RESTClient: CommandTransport {
    private let url: HTTPURL
    private let rune: SecretFile
    private let certificatePath: String?
    private let limits: CallLimits
    private let current = Guarded<RESTAccess?>(nil)

    init(_ url: HTTPURL, runePath: String, certificatePath: String?, _ limits: CallLimits) {
        self.url = url
        rune = SecretFile("rune", path: runePath)
        self.certificatePath = certificatePath
        self.limits = limits
    }

    func call(_ command: Command) async throws(CommandFault) -> JSONValue {
        let access = try access()
        do {
            return try await send(command, access)
        } catch {
            // The files may have changed meanwhile. A command that was not permitted was not executed.
            guard case .notPermitted = error, try keys() != access.keys else { throw error }
        }
        current.withLock { current in
            if current?.keys == access.keys { current = nil }
        }
        return try await send(command, try self.access())
    }

    private func access() throws(CommandFault) -> RESTAccess {
        if let access = current.withLock({ $0 }) { return access }
        let opened = try open()
        return current.withLock { current in
            // If several tasks open it at once, one wins.
            let access = current ?? opened
            current = access
            return access
        }
    }

    private func open() throws(CommandFault) -> RESTAccess {
        let keys = try keys()
        var configuration = HTTPClient.Configuration(limits)
        configuration.certificateAuthorities = certificatePath
        let client = try rethrowing(HTTPClient(configuration)) { (fault: OutboundFault) in CommandFault(fault) }
        return RESTAccess(client: client, keys: keys)
    }

    private func keys() throws(CommandFault) -> RESTAccess.Keys {
        let text = String(
            decoding: try rethrowing(rune.text()) { (fault: BackendFault) in CommandFault(fault) }, as: UTF8.self)
        guard let field = try? HTTPField("Rune", text, isSecret: true) else {
            throw .notPermitted("the rune file \(rune.path) holds no rune")
        }
        return RESTAccess.Keys(rune: field, certificates: try certificates())
    }

    private func certificates() throws(CommandFault) -> [UInt8] {
        guard let certificatePath else { return [] }
        do {
            return try PrivateFile(path: certificatePath).contents(limit: 1 << 20, isSecret: false)
        } catch PrivateFileFault.notFound {
            throw .notPermitted("the certificate file \(certificatePath): no such file")
        } catch {
            throw .notPermitted("the certificate file \(certificatePath) cannot be read")
        }
    }

    private func send(_ command: Command, _ access: RESTAccess) async throws(CommandFault) -> JSONValue {
        let request = HTTPRequest(
            .post, url.appendingPath("/v1/" + command.method),
            headers: [access.keys.rune, .jsonContent, .acceptJSON],
            body: JSONValue.object(command.parameters).serializedBytes(), timeout: command.timeout)
        let response = try await awaiting(await access.client.send(request)) { (fault: OutboundFault) in
            CommandFault(fault)
        }
        return try result(of: response)
    }

    /// Success is always 201 (Created); an error's body is the node's own error object.
    private func result(of response: HTTPResponse) throws(CommandFault) -> JSONValue {
        let body = try rethrowing(JSONValue(parsing: response.body, limits: limits.json)) { (fault: JSONFault) in
            Self.fault(of: response.status, otherwise: "no JSON: \(fault.reason)")
        }
        switch response.status {
        case 200, 201:
            guard body.object != nil else { throw .malformed("no object") }
            return body
        default:
            guard let message = body["message"]?.string else {
                throw Self.fault(of: response.status, otherwise: "no error")
            }
            // 401: this rune is rejected. 403: no rune was sent.
            if response.status == 401 || response.status == 403 { throw .notPermitted(BackendFault.words(message)) }
            // An error without a code comes from clnrest itself: it has lost lightningd.
            throw CommandFault(error: body) ?? .backend(.unreachable(BackendFault.words(message)))
        }
    }

    /// A response that is not from clnrest, but from a proxy for instance.
    private static func fault(of status: Int, otherwise reason: String) -> CommandFault {
        switch status {
        case 502, 503, 504: .backend(.unreachable("status \(status)"))
        default: .malformed("status \(status), \(reason)")
        }
    }
}

/// A client with the certificate and rune that the files held when it was made.
struct RESTAccess: Sendable {
    struct Keys: Equatable, Sendable {
        let rune: HTTPField
        let certificates: [UInt8]
    }

    let client: HTTPClient
    let keys: Keys
}
