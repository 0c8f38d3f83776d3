import LightningCoding
import OutboundHTTP

/// The node's `clnrest`: each command a POST of its own, with the rune that allows it.
final class RestDoor: CommandDoor {
    private let client: HTTPClient
    private let base: HTTPURL
    private let rune: HTTPField
    private let limits: CommandLimits

    /// Prepares the door; the node need not be there yet.
    ///
    /// - Parameters:
    ///   - base: where clnrest listens: `https://localhost:3010`.
    ///   - rune: in clnrest's own notation.
    ///   - certificates: a file (PEM) of the authority that signed clnrest's certificate, its own `ca.pem`, or of the certificate
    ///     itself when that is signed by itself; nil trusts the system's authorities.
    init(
        base: HTTPURL, rune: String, certificates: String?, _ limits: CommandLimits
    ) throws(CommandFault) {
        guard base.query == nil else { throw .unreachable("the URL has a query") }
        guard let rune = try? HTTPField("Rune", rune, isSecret: true), !rune.value.isEmpty else {
            throw .notPermitted("the rune is no line of text")
        }
        var configuration = HTTPClient.Configuration()
        configuration.certificateAuthorities = certificates
        configuration.connectTimeout = limits.connectTimeout
        configuration.maximumBodyBytes = limits.maximumAnswerBytes
        configuration.maximumConcurrency = Self.maximumConcurrency
        configuration.maximumWaiting = limits.maximumPending
        do {
            client = try HTTPClient(configuration)
        } catch {
            throw CommandFault(error)
        }
        self.base = base
        self.rune = rune
        self.limits = limits
    }

    /// clnrest hands every call on to lightningd over a connection of its own.
    private static let maximumConcurrency = 32

    func call(_ command: Command) async throws(CommandFault) -> JSONValue {
        let root = base.text.hasSuffix("/") ? String(base.text.dropLast()) : base.text
        guard let url = try? HTTPURL("\(root)/v1/\(command.method)") else { throw .unreachable("the URL is too long") }
        let request = HTTPRequest(
            .post, url, headers: [rune, .jsonContent, .acceptJSON],
            body: JSONValue.object(command.parameters).serializedBytes(), timeout: command.timeout)
        let response: HTTPResponse
        do {
            response = try await client.send(request)
        } catch {
            throw CommandFault(error)
        }
        return try result(of: response)
    }

    func close() {
        client.close()
    }

    /// Success is 201 (Created), whatever was asked; an error has the node's own object as its body.
    private func result(of response: HTTPResponse) throws(CommandFault) -> JSONValue {
        let body: JSONValue
        do {
            body = try JSONValue(parsing: response.body, limits: limits.json)
        } catch {
            throw .malformed("status \(response.status), \(error.kind) at byte \(error.offset)")
        }
        switch response.status {
        case 200, 201:
            guard body.object != nil else { throw .malformed("no object") }
            return body
        default:
            guard let message = body["message"]?.string else {
                throw .malformed("status \(response.status) without an error")
            }
            // 401: not this rune. 403: none at all.
            if response.status == 401 || response.status == 403 { throw .notPermitted(message) }
            // An error without a code is clnrest's own: it has lost lightningd.
            throw CommandFault(error: body) ?? .unreachable(message)
        }
    }
}

extension CommandFault {
    /// The fault of an HTTP exchange with the node.
    init(_ fault: OutboundFault) {
        switch fault {
        case .resolve: self = .unreachable("the host has no address")
        case .connect: self = .unreachable("nobody listens there")
        case .refusedAddress, .onionWithoutProxy, .proxy: self = .unreachable("\(fault)")
        case .tls, .otherKey: self = .notPermitted("the server's certificate is not the one that is trusted")
        case .timeout: self = .timedOut
        case .connectionLost: self = .connectionLost
        case .malformedResponse, .headersTooLarge: self = .malformed("no HTTP")
        case .bodyTooLarge: self = .malformed("\(DocumentSplitter.Fault.tooLarge)")
        case .cancelled: self = .cancelled
        case .overloaded: self = .overloaded
        case .closed: self = .closed
        case .other(let code): self = .unreachable("libcurl \(code)")
        }
    }
}
