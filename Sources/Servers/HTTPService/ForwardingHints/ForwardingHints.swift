import CoreMetrics
import Devices
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import LightningCrypto
package import ResponderModel

/// `GET /lsp/forwarding_hint?recipient=<node>&amount_msat=<n>`: what a payer's wallet should do about a payment that the
/// nodes could not forward. What is asked tells who is paid, and the answer whose phone is on: both need the token.
package struct ForwardingHints: ServiceFeature {
    private let nodes: [any ForwardingNode]
    private let token: BearerToken

    private static let path = "/lsp/forwarding_hint"

    package init(of nodes: [any ForwardingNode], for token: BearerToken) {
        self.nodes = nodes
        self.token = token
    }

    package func addRoutes(to router: PublicRouter) {
        let instruments = RouteInstruments(template: Self.path, metrics: router.metrics)
        router.router.get(RouterPath(Self.path)) { [admission = router.admission] request, context in
            await instruments.observe(context.logger) {
                // Counted before the token is compared: it is guessed no faster than it may be used.
                if let seconds = admission.wait(for: .forwardingHint, request, context) {
                    return Refusal.tooOften(seconds).observed
                }
                do throws(Refusal) {
                    return .init(.json(.object(try await hint(request).json), headers: JSONHeaders.admin))
                } catch {
                    return error.observed
                }
            }
        }
    }

    private func hint(_ request: Request) async throws(Refusal) -> ForwardingHint {
        guard token.isNamed(by: request.headers[.authorization]) else { throw .unauthorized }
        guard let items = try? request.uri.items() else { throw .malformed("the query") }
        func value(_ name: String) throws(Refusal) -> String {
            let values = items.filter { $0.name.isExactly(name) }
            guard values.count == 1, let item = values.first else { throw .malformed(name) }
            return item.value
        }
        guard let recipient = try? PublicKey(hexadecimal: value("recipient")) else { throw .malformed("recipient") }
        guard let number = UInt64(digits: try value("amount_msat")), number > 0, Millisatoshi(number) <= .maximum else {
            throw .malformed("amount_msat")
        }
        return try await awaiting(
            await ForwardingHint.best(of: nodes, forwarding: Millisatoshi(number), to: recipient),
            as: Refusal.node)
    }

    /// Why there is no hint.
    private enum Refusal: Error {
        case tooOften(UInt64)
        case unauthorized
        case malformed(String)
        case node(BackendFault)

        var observed: RouteInstruments.Observed {
            switch self {
            case .tooOften(let seconds):
                var response = Self.response(.tooManyRequests, "too_many_requests", "too many requests")
                response.headers[.retryAfter] = String(seconds)
                return .init(response, .refused)
            case .unauthorized:
                var response = Self.response(
                    .unauthorized, "unauthorized", "authentication required: Authorization: Bearer …")
                response.headers[.wwwAuthenticate] = "Bearer"
                return .init(response, .refused)
            case .malformed(let name):
                return .init(
                    Self.response(.badRequest, "invalid_request", "\(name) is missing or malformed"), .refused)
            case .node(let fault):
                return .init(
                    Self.response(.serviceUnavailable, "unavailable", "no node answers now"), .failed,
                    cause: fault.reason)
            }
        }

        private static func response(_ status: HTTPResponse.Status, _ word: String, _ text: String) -> Response {
            .json(["error": .string(word), "message": .string(text)], status: status, headers: JSONHeaders.admin)
        }
    }
}
