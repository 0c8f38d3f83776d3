import LightningCoding
import OutboundHTTP
import Platform
import ResponderModel

/// The node's `clnrest`: each command is a POST with the rune. The credential files are read at the first command, and
/// again when TLS or the rune is rejected: certificate and rune may have been replaced.
final class RESTClient: CommandTransport {
    private let address: RestAddress
    private let limits: CommandLimits
    private let current = Guarded<RestAccess?>(nil)

    init(_ address: RestAddress, _ limits: CommandLimits) {
        self.address = address
        self.limits = limits
    }

    func call(_ command: Command) async throws(CommandFault) -> JSONValue {
        let access = try access()
        do {
            return try await send(command, access)
        } catch {
            // The files may have changed meanwhile. A command that was not permitted was not executed.
            guard case .notPermitted = error, try address.keys() != access.keys else { throw error }
        }
        current.withLock { current in
            if current?.keys == access.keys { current = nil }
        }
        return try await send(command, try self.access())
    }

    private func access() throws(CommandFault) -> RestAccess {
        if let access = current.withLock({ $0 }) { return access }
        let opened = try address.open(limits)
        return current.withLock { current in
            // If several tasks open it at once, one wins.
            let access = current ?? opened
            current = access
            return access
        }
    }

    private func send(_ command: Command, _ access: RestAccess) async throws(CommandFault) -> JSONValue {
        let request = HTTPRequest(
            .post, address.url.appendingPath("/v1/" + command.method),
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
            // The Python plugin before v25.02 returns just a string when it has lost lightningd.
            if let words = body.string { throw .backend(.unreachable(BackendFault.words(words))) }
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
