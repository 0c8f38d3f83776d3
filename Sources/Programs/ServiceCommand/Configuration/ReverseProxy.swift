import LNURL
import LightningCoding
import ResponderModel
import ServiceSetup

/// What a reverse proxy passes on to the payers' listener, in its own language.
struct ReverseProxy: Sendable {
    /// The hosts of all domains that the settings name, with the scheme where it is not https.
    let hosts: [String]
    /// What every path passed on begins with, as a whole segment.
    let paths: [String]
    /// Where the payers' listener is reached from this machine.
    let listener: ListenAddress
    private let passesHost: Bool
    private let isTrusted: Bool
    private let requestTime: UInt64

    init(to configuration: ServiceConfiguration) {
        let domains = configuration.domains.flatMap { domain in
            [domain.publicURL.text] + domain.settings.aliases.map(\.text)
        }
        var hosts: [String] = []
        for host in ([configuration.publicURL.origin] + domains).map(Self.site) where !hosts.contains(host) {
            hosts.append(host)
        }
        self.hosts = hosts
        paths = Self.paths(of: configuration)
        let listen = configuration.listen
        let local = ["0.0.0.0": "127.0.0.1", "[::]": "[::1]", "::": "[::1]"][listen.host]
        listener = ListenAddress(host: local ?? listen.host, port: listen.port)
        passesHost = configuration.trustForwardedHost
        isTrusted = !configuration.trustedProxies.isEmpty
        requestTime = configuration.limits.requestTime
    }

    private static func paths(of configuration: ServiceConfiguration) -> [String] {
        let payers = ["/.well-known/lnurlp", "/lnurlp", "/lnurlpay", "/webhook"]
        let wallets = configuration.gateway.enabled ? ["/response", "/bolt12offer"] : []
        let devices = configuration.hasPush ? ["/api/v1", "/v1", "/notifications"] : []
        let hints = configuration.forwardingHint.tokenFile == nil ? [] : ["/lsp"]
        let nodes = configuration.backends.filter { $0.value.kind.webhookSecretFile != nil }.keys
            .map { "/backend/\($0)/events" }.sorted()
        return payers + wallets + devices + hints + nodes
    }

    /// As Caddy names a site: https is its standard.
    private static func site(_ url: String) -> String {
        let https = "https://"
        if url.hasPrefix(https) { return String(url.dropFirst(https.count)) }
        return url.contains("://") || !url.hasSuffix(".onion") ? url : "http://\(url)"
    }

    var caddy: String {
        """
        \(note)\(hosts.joined(separator: ", ")) {
            @lightning path \(paths.map { "\($0) \($0)/*" }.joined(separator: " "))
            reverse_proxy @lightning \(listener)
        }

        """
    }

    /// What belongs into the `server` of nginx that has the certificates.
    var nginx: String {
        let prefixes = paths.map { $0.dropFirst().split(separator: ".", omittingEmptySubsequences: false) }
            .map { $0.joined(separator: "\\.") }
        let lines = [
            "proxy_pass http://\(listener);", "proxy_http_version 1.1;", #"proxy_set_header Connection "";"#,
            "proxy_set_header Host $http_host;", "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
        ]
        // nginx waits for a minute by itself.
        let more =
            (passesHost ? ["proxy_set_header X-Forwarded-Host $http_host;"] : [])
            + (requestTime < 60 ? [] : ["proxy_read_timeout \(requestTime + 5)s;"])
        let names = hosts.map { ($0.split(separator: "//").last ?? "").prefix { $0 != ":" } }
        return """
            \(note)# for server_name \(names.joined(separator: " "));
            location ~ ^/(\(prefixes.joined(separator: "|")))(/|$) {
            \((lines + more).map { "    \($0)\n" }.joined())}

            """
    }

    private var note: String {
        isTrusted
            ? ""
            : "# List this proxy's address in \(SettingTable.shared.trustedProxies.key): else all payers count as one client.\n"
    }
}
