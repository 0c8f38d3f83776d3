import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import Platform
import ResponderCore
import ResponderModel

/// Finds the domain that a request is for. The host selects, and the table of domains decides: nothing of the host
/// appears in an answer.
struct HostSelection: Sendable {
    let accounts: AccountDirectory
    /// The proxies whose `X-Forwarded-Host` replaces the host; empty unless that is switched on.
    let trustedProxies: [NetworkPrefix]

    private static let forwardedHost = HTTPField.Name("X-Forwarded-Host")

    /// The domain of a request: by its absolute target, else by its `Host` (RFC 9112 §3.2); several are refused before.
    func domain(of request: Request, _ context: ServiceContext) async throws(HostFault) -> ReachedDomain {
        let host = try host(of: request, context)
        let table = try await HostFault.asking(await accounts.domains())
        guard let reached = table.reached(at: host) else { throw .unknown }
        return reached
    }

    func host(of request: Request, _ context: ServiceContext) throws(HostFault) -> String? {
        if !trustedProxies.isEmpty, let name = Self.forwardedHost {
            let values = request.headers[values: name]
            if let forwarded = try forwardedHost(values, from: context.peer) { return forwarded }
        }
        guard request.uri.scheme != nil, let host = request.uri.host else { return request.head.authority }
        return request.uri.port.map { "\(host):\($0)" } ?? host
    }

    /// The host that a trusted proxy forwards; nil when the connection is of another, or none is forwarded.
    func forwardedHost(_ values: [String], from peer: IPAddress?) throws(HostFault) -> String? {
        guard let peer = peer?.withoutMapping, trustedProxies.contains(where: { $0.contains(peer) }),
            let value = values.first
        else { return nil }
        guard values.count == 1, !value.utf8.contains(UInt8(ascii: ",")) else { throw .several }
        return value
    }
}

/// Why no domain answers a request.
enum HostFault: LedgerFaultConvertible, Hashable, Sendable {
    /// The host is of no domain.
    case unknown
    /// The proxy names several hosts.
    case several
    case ledger(LedgerFault)
}
