package import LNURL
package import LightningCoding
import OutboundHTTP

/// The service to examine, and where its requests are sent.
package struct ExaminedService: Sendable {
    /// The address; nil when only a URL is known.
    package let address: LightningAddress?
    /// The URL of the first step, under the service's own name.
    package let url: HTTPURL
    /// A server that is asked in place of the service's host, with the service's name in the `Host` field.
    package let standIn: HTTPURL?
    /// The resolver that is asked for the DNS name (RFC 8484); nil to leave that out.
    package let resolver: HTTPURL?

    package init?(_ target: LNURLTarget, against standIn: HTTPURL? = nil, resolver: HTTPURL? = nil) {
        guard let url = target.url else { return nil }
        self.url = url
        self.standIn = standIn
        self.resolver = resolver
        if case .address(let address) = target { self.address = address } else { address = nil }
    }

    package var name: String { address?.text ?? url.text }

    func requiredAddress() throws(Skipped) -> LightningAddress {
        guard let address else { throw Skipped("only a URL is known, not an address") }
        return address
    }

    /// Whether the service is on this machine, where https is not expected.
    package var isLocal: Bool { (standIn ?? url).isLoopback }

    /// The URL of a path at the service's host, under its own name.
    func url(path: String, query: String? = nil) throws(Skipped) -> HTTPURL {
        let text = "\(url.scheme.rawValue)://\(url.authority)\(path)\(query.map { "?" + $0 } ?? "")"
        return try rethrowing(HTTPURL(text), as: Skipped("the URL cannot be made"))
    }

    /// A request, sent to the stand-in when the URL is at the service's host.
    func request(_ method: HTTPMethod, _ url: HTTPURL, headers: [HTTPField], body: [UInt8] = []) -> HTTPRequest {
        guard let standIn, url.isAtHost(of: self.url),
            let moved = try? HTTPURL("\(standIn.scheme.rawValue)://\(standIn.authority)\(url.target)")
        else { return HTTPRequest(method, url, headers: headers, body: body) }
        return HTTPRequest(method, moved, headers: headers, body: body, namedFor: url)
    }
}

extension HTTPURL {
    /// Whether it leads to the same server: the usual port may be written.
    fileprivate func isAtHost(of other: HTTPURL) -> Bool {
        scheme == other.scheme && host == other.host && effectivePort == other.effectivePort
    }

    private var effectivePort: UInt16 { port ?? (scheme == .https ? 443 : 80) }

    var target: String { query.map { path + "?" + $0 } ?? path }
}
