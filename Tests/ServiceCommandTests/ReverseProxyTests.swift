import ArgumentParser
import Foundation
import Hummingbird
import LightningCoding
import Logging
import Platform
import PushProviders
import ServiceSetup
import TemporaryFolders
import Testing
@testable import HTTPService
@testable import ServiceCommand

@Suite("config proxy", .timeLimit(.minutes(5)))
struct ReverseProxyTests: CommandFixture {
    let temporary = TemporaryFolder()

    /// Settings, each of which mounts routes.
    enum Feature: CaseIterable {
        case gateway, push, hints, nodes

        func text(_ folder: String) -> String {
            switch self {
            case .gateway: "gateway: {enabled: true}"
            case .push: "push: {vapid-key-file: \(folder)/vapid.pem, vapid-contact: 'mailto:a@example.com'}"
            case .hints: "forwarding-hint: {token-file: \(folder)/hint.token}"
            case .nodes:
                """
                  phone: {kind: phoenixd, url: 'http://127.0.0.1:9', password-file: \(folder)/secret, webhook-secret-file: \(folder)/secret}
                  hook-1: {kind: hook, url: 'http://127.0.0.1:9', webhook-secret-file: \(folder)/hook.secret}
                """
            }
        }
    }

    private func configuration(_ features: [Feature], _ more: String = "") throws -> ServiceConfiguration {
        let secrets = [
            "vapid.pem": PublishedKeys.p256, "hint.token": String(repeating: "a", count: 32), "secret": "s3cret",
        ]
        for (name, text) in secrets { try? PrivateFile(path: temporary.path + "/" + name).create(text.utf8) }
        try? PrivateFile(path: temporary.path + "/hook.secret").create(
            "whsec_\(String(repeating: "A", count: 44))".utf8)
        let lines = features.filter { $0 != .nodes }.map { $0.text(temporary.path) }
        let text =
            ["public-url: https://example.com", more] + lines + [
                "backends:", "  main: {kind: core-lightning, socket: /none}",
            ]
            + (features.contains(.nodes) ? [Feature.nodes.text(temporary.path)] : [])
        return try ServiceConfiguration(
            SettingSources(
                flags: ["data-directory": folder], environment: [:],
                file: ("c.yaml", Array(text.joined(separator: "\n").utf8))))
    }

    /// The paths that the service mounts.
    private func mounted(_ configuration: ServiceConfiguration) async throws -> [String] {
        let installation = try await Installation.openToServe(configuration)
        let server = AddressServer(
            try await installation.serviceParts(), settings: configuration.service,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in }
        let routes = server.publicRouter(configuration.service.limits).router.routes
        await installation.close()
        return Array(Set(routes.map(\.path.description) + PayerRoutes.prefixes))
    }

    @Test(
        "It passes on every path that the service mounts, and nothing else",
        arguments: [[], [.gateway], [.push], [.hints], [.nodes], Feature.allCases])
    func complete(features: [Feature]) async throws {
        let configuration = try configuration(features)
        let proxy = ReverseProxy(to: configuration)
        // Crawlers need not reach the service.
        let mounted = try await mounted(configuration).filter { $0 != "/robots.txt" }
        for path in mounted {
            let covering = proxy.paths.filter { prefix in
                let names =
                    prefix.hasPrefix("/backend/")
                    ? path.replacing("{name}", with: prefix.split(separator: "/")[1]) : path
                return names == prefix || names.hasPrefix(prefix + "/")
            }
            #expect(!covering.isEmpty, "\(path)")
        }
        for prefix in proxy.paths where !prefix.hasPrefix("/backend/") {
            #expect(mounted.contains { $0 == prefix || $0.hasPrefix(prefix + "/") }, "\(prefix)")
        }
        let events = proxy.paths.filter { $0.hasPrefix("/backend/") }
        #expect(events == (features.contains(.nodes) ? ["/backend/hook-1/events", "/backend/phone/events"] : []))
    }

    @Test("The two languages name the same hosts and paths, with a word where the proxy is not trusted yet")
    func languages() throws {
        let domains = "domains: {example.org: {aliases: [www.example.org, x.onion]}, '*.example.net': {}}"
        let proxy = ReverseProxy(
            to: try configuration([.gateway], "listen: 0.0.0.0:9000\nlimits: {request-time: 120}\n\(domains)"))
        let hosts = ["example.com", "example.org", "www.example.org", "http://x.onion", "*.example.net"]
        #expect(
            proxy.caddy == """
                # List this proxy's address in trusted-proxies: else all payers count as one client.
                \(hosts.joined(separator: ", ")) {
                    @lightning path /.well-known/lnurlp /.well-known/lnurlp/* /lnurlp /lnurlp/* /lnurlpay /lnurlpay/* /webhook \
                /webhook/* /response /response/* /bolt12offer /bolt12offer/*
                    reverse_proxy @lightning 127.0.0.1:9000
                }

                """)
        #expect(
            proxy.nginx == #"""
                # List this proxy's address in trusted-proxies: else all payers count as one client.
                # for server_name example.com example.org www.example.org x.onion *.example.net;
                location ~ ^/(\.well-known/lnurlp|lnurlp|lnurlpay|webhook|response|bolt12offer)(/|$) {
                    proxy_pass http://127.0.0.1:9000;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                    proxy_set_header Host $http_host;
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                    proxy_read_timeout 125s;
                }

                """#)
    }

    @Test("A port of the public URL reaches the service in Host, and is no part of a server's name in nginx")
    func port() throws {
        let sources = SettingSources(
            flags: ["public-url": "https://example.com:8443", "trial": "true"], environment: [:], file: nil)
        let proxy = ReverseProxy(to: try ServiceConfiguration(sources))
        #expect(proxy.hosts == ["example.com:8443"])
        #expect(proxy.nginx.contains("# for server_name example.com;"))
        #expect(proxy.nginx.contains(" Host $http_host;"))
    }

    @Test("Without a public URL there is nothing to print")
    func noPublicURL() async throws {
        #expect(try await failure(ConfigProxy.self, "--caddy")?.status == .configuration)
        let shown = try await run(ConfigProxy.self, "--nginx", "--public-url", "https://example.com")
        #expect(shown.json["listener"] == "http://127.0.0.1:8080")
        #expect(throws: (any Error).self) { try ConfigProxy.parse([]) }
    }

    @Test("The examples of the documentation are what the command prints for its configuration")
    func documented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/operating.md"), encoding: .utf8)
        let file = try #require(text.firstMatch(of: /<<'YAML'\n([^`]*?)YAML\n/)?.output.1)
        let proxy = ReverseProxy(
            to: try ServiceConfiguration(
                SettingSources(flags: [:], environment: [:], file: ("c.yaml", Array(file.utf8)))))
        #expect(text.contains("```caddyfile\n\(proxy.caddy)```"))
        #expect(text.contains("```nginx\n\(proxy.nginx)```"))
    }
}
