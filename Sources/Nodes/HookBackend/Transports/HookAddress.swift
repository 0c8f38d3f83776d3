package import LightningCoding
import ResponderModel

/// Where a hook is.
package enum HookAddress: Hashable, Sendable {
    /// A service, at a base URL to which `/` and the name of the method are appended.
    ///
    /// - `tokenPath`: a file with a token, visible ASCII, sent as `Authorization: Bearer …`. It is read at the first request,
    ///   and again when the service rejects it.
    /// - `certificateAuthorities`: a file of trusted certificates (PEM) instead of the system's.
    case service(HTTPURL, tokenPath: String? = nil, certificateAuthorities: String? = nil)
    /// A program, by its path or to be found in `PATH`, and its arguments; run as a child process with this complete
    /// environment.
    case program([String], environment: [String: String])

    /// - Throws: `BackendFault.refused` when the token would be sent unencrypted.
    func transport(_ limits: CallLimits) throws(BackendFault) -> any HookTransport {
        switch self {
        case .service(let url, let tokenPath, let certificateAuthorities):
            try HTTPHook(url, tokenPath, certificateAuthorities: certificateAuthorities, limits)
        case .program(let command, let environment): ProgramHook(command, environment: environment)
        }
    }
}
