import LightningCoding
import LoopbackServer
import Platform
import Testing
import Waiting

@testable import OutboundHTTP

@Suite("The address policy", .timeLimit(.minutes(5)))
struct AddressPolicyTests {
    static let classes: [(String, AddressClass)] = [
        ("8.8.8.8", .global), ("1.0.0.1", .global), ("100.63.255.255", .global), ("100.128.0.0", .global),
        ("172.15.255.255", .global), ("172.32.0.0", .global), ("192.167.255.255", .global), ("192.169.0.0", .global),
        ("169.253.255.255", .global), ("169.255.0.0", .global), ("126.255.255.255", .global), ("128.0.0.0", .global),
        ("9.255.255.255", .global), ("11.0.0.0", .global), ("198.17.255.255", .global), ("198.20.0.0", .global),
        ("223.255.255.255", .global), ("168.63.129.15", .global), ("168.63.129.17", .global),
        ("127.0.0.1", .loopback), ("127.255.255.254", .loopback),
        ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified),
        ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse), ("172.16.0.0", .privateUse),
        ("172.31.255.255", .privateUse), ("192.168.0.1", .privateUse),
        ("169.254.0.1", .linkLocal), ("169.254.169.254", .linkLocal),
        ("100.64.0.0", .carrierGradeNAT), ("100.100.100.200", .carrierGradeNAT), ("100.127.255.255", .carrierGradeNAT),
        ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("168.63.129.16", .metadataService),
        ("192.0.0.192", .reserved), ("192.0.2.1", .reserved), ("192.88.99.1", .reserved), ("198.18.0.0", .reserved),
        ("198.19.255.255", .reserved), ("198.51.100.1", .reserved), ("203.0.113.1", .reserved),
        ("240.0.0.1", .reserved), ("255.255.255.255", .reserved),
        ("2606:4700::1111", .global), ("2000::", .global), ("2001:200::1", .global), ("2003::1", .global),
        ("3ffe:ffff::1", .global),
        ("::1", .loopback), ("::", .unspecified),
        ("fc00::1", .privateUse), ("fd00:ec2::254", .privateUse), ("fdff:ffff::1", .privateUse),
        ("fec0::1", .privateUse), ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("ff02::1", .multicast),
        ("::ffff:127.0.0.1", .translated), ("::ffff:8.8.8.8", .translated), ("::127.0.0.1", .translated),
        ("::ffff:0:127.0.0.1", .translated), ("64:ff9b::7f00:1", .translated), ("64:ff9b:1::7f00:1", .translated),
        ("2002:7f00:1::", .translated), ("2001:0:4136:e378:8000:63bf:3fff:fdd2", .translated),
        ("2001:2::1", .reserved), ("2001:10::1", .reserved), ("2001:db8::1", .reserved), ("3fff::1", .reserved),
        ("100::1", .reserved), ("4000::1", .reserved), ("5f00::1", .reserved), ("64:ff9a::1", .reserved),
    ]

    @Test("Every address has its class, up to the edges of each range", arguments: classes)
    func addressClass(text: String, expected: AddressClass) throws {
        let address = try #require(IPAddress(text))
        #expect(address.addressClass == expected)
        #expect(AddressPolicy.publicOnly.permits(address) == (expected == .global))
        #expect(AddressPolicy.any.permits(address))
        #expect(
            AddressPolicy(scope: .publicAndLoopback).permits(address) == [.global, .loopback].contains(expected))
    }

    @Test("Anything but a numeric address is refused", arguments: ["", "localhost", "127.1", "[::1]", "fe80::1%eth0"])
    func notAnAddress(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("A suffix covers whole labels only, and numeric addresses only exactly")
    func suffixes() throws {
        let suffix = try #require(HostSuffix(".Example.com"))
        #expect(suffix.covers("example.com"))
        #expect(suffix.covers("a.b.EXAMPLE.com"))
        #expect(!suffix.covers("badexample.com"))
        #expect(!suffix.covers("example.com.evil.org"))
        let number = try #require(HostSuffix("0.0.1"))
        #expect(!number.covers("127.0.0.1"))
        #expect(try #require(HostSuffix("127.0.0.1")).covers("127.0.0.1"))
        #expect(HostSuffix("") == nil)
        #expect(HostSuffix(".") == nil)
    }

    typealias Outcome = Result<Int, OutboundFault>

    private func outcome(
        _ url: String, _ change: (inout HTTPClient.Configuration) -> Void
    ) async throws -> Outcome {
        var configuration = HTTPClient.Configuration()
        change(&configuration)
        let request = HTTPRequest(.get, try HTTPURL(url), timeout: .seconds(5))
        let client = try HTTPClient(configuration)
        do throws(OutboundFault) {
            return .success(try await client.send(request).status)
        } catch {
            return .failure(error)
        }
    }

    @Test("A forbidden address is refused when connecting, by number or by name, and no connection is made")
    func refusedAtTheSocket() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        let pin = try #require(PinnedHost(host: "innocent.example", port: server.port, address: "127.0.0.1"))
        for host in ["127.0.0.1", "innocent.example"] {
            let outcome = try await outcome("http://\(host):\(server.port)/") {
                $0.addressPolicy = .publicOnly
                $0.pinnedHosts = [pin]
            }
            #expect(outcome == .failure(.refusedAddress))
        }
        #expect(server.connections == 0)
        let allowed = try await outcome("http://innocent.example:\(server.port)/") {
            $0.addressPolicy = AddressPolicy(scope: .publicAndLoopback)
            $0.pinnedHosts = [pin]
        }
        #expect(allowed == .success(200))
    }

    @Test(
        "A name is forbidden only if all its addresses are; one allowed address suffices",
        arguments: [
            (["10.0.0.1"], true), (["10.0.0.1", "192.168.0.1"], true), (["fd00::1", "10.0.0.1"], true),
            (["10.0.0.1", "127.0.0.1"], false), (["127.0.0.1", "10.0.0.1"], false), (["fd00::1", "127.0.0.1"], false),
        ])
    func mixedAddresses(addresses: [String], isForbidden: Bool) async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        let nobody = try ClosedPort()
        for (port, expected) in [(server.port, Outcome.success(200)), (nobody.port, .failure(.connect))] {
            let pin = try #require(PinnedHost(host: "mixed.example", port: port, addresses: addresses))
            let outcome = try await outcome("http://mixed.example:\(port)/") {
                $0.addressPolicy = AddressPolicy(scope: .publicAndLoopback)
                $0.pinnedHosts = [pin]
            }
            #expect(outcome == (isForbidden ? .failure(.refusedAddress) : expected))
        }
        #expect(server.connections == (isForbidden ? 0 : 1))
    }

    @Test("A host is pinned to addresses, not to names", arguments: [[], ["a.example"], ["10.0.0.1", "x"], ["[::1]"]])
    func pinnedNames(addresses: [String]) {
        #expect(PinnedHost(host: "mixed.example", port: 1, addresses: addresses) == nil)
    }

    @Test("With a list, only the listed hosts are contacted")
    func hostList() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        let cases: [(String, Outcome)] = [
            ("127.0.0.1", .success(200)), ("example.com", .failure(.refusedAddress)),
        ]
        for (listed, expected) in cases {
            let suffix = try #require(HostSuffix(listed))
            let outcome = try await outcome("http://127.0.0.1:\(server.port)/") {
                $0.addressPolicy.hosts = [suffix]
            }
            #expect(outcome == expected)
        }
    }

    @Test("Through a proxy, where addresses cannot be checked, an unlisted host is refused and a listed one allowed")
    func proxy() async throws {
        let proxy = try LoopbackServer { request in LoopbackAnswer(status: 299, request.target) }
        let listed = try #require(HostSuffix("pay.example"))
        let cases: [([HostSuffix]?, Outcome)] = [(nil, .failure(.refusedAddress)), ([listed], .success(299))]
        for (hosts, expected) in cases {
            let outcome = try await outcome("http://pay.example/x") {
                $0.proxy = .http(host: "127.0.0.1", port: proxy.port)
                $0.addressPolicy = AddressPolicy(scope: .publicOnly, hosts: hosts)
            }
            #expect(outcome == expected)
        }
    }

    @Test("An onion host is not resolved without a SOCKS proxy")
    func onion() async throws {
        let url = "http://juhaavcaxhxlp77nkq76byazcldy2hlmovfu2epvl5ankdibsot4csyd.onion/"
        #expect(try await outcome(url) { _ in } == .failure(.onionWithoutProxy))
        let closed = try ClosedPort()
        let port = closed.port
        #expect(
            try await outcome(url) { $0.proxy = .http(host: "127.0.0.1", port: port) } == .failure(.onionWithoutProxy))
        #expect(try await outcome(url) { $0.proxy = .socks5(host: "127.0.0.1", port: port) } == .failure(.proxy))
    }

    @Test("A SOCKS proxy gets the name, not an address")
    func socks() async throws {
        let (names, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let server = try LoopbackServer(raw: { connection in
            guard connection.read().first == 5 else { return }
            connection.write([5, 0])
            continuation.yield(connection.read())
            connection.write([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])
        })
        let outcome = try await outcome("http://pay.example/") {
            $0.proxy = .socks5(host: "127.0.0.1", port: server.port)
        }
        #expect(outcome == .failure(.proxy))
        for await request in names.prefix(1) {
            #expect(request == [5, 1, 0, 3, 11] + Array("pay.example".utf8) + [0, 80])
        }
    }

    @Test("Proxies are parsed strictly")
    func proxyText() {
        #expect(Proxy("socks5h://127.0.0.1:9050") == .tor)
        #expect(Proxy("http://proxy.example:3128") == .http(host: "proxy.example", port: 3128))
        #expect(Proxy("socks5h://[::1]:9050") == .socks5(host: "::1", port: 9050))
        #expect(Proxy("socks5h://[::1]:9050")?.description == "socks5h://[::1]:9050")
        for text in [
            "socks5://127.0.0.1:9050", "127.0.0.1:9050", "socks5h://host", "socks5h://:1", "http://a@b:1",
            "http://a:0", "http://a:99999", "", "socks5h://a:1:2", "socks5h://::1:9050", "socks5h://a:080",
            "socks5h://[::1]", "http://a b:1", "http://a:1/",
        ] {
            #expect(Proxy(text) == nil)
        }
    }
}

@Suite("Requests to one network", .timeLimit(.minutes(5)))
struct NetworkLimitTests {
    private let hung = Guarded(0)

    /// Answers all but `/hang`.
    private func server() throws -> LoopbackServer {
        try LoopbackServer(raw: { [hung] connection in
            while let request = connection.readRequest(), request.target != "/hang" {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            }
            hung.withLock { $0 += 1 }
            _ = connection.readRequest()
        })
    }

    /// A client that has two places in each network.
    private func client(_ hosts: [(name: String, server: LoopbackServer, address: String)]) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrencyPerNetwork = 2
        configuration.pinnedHosts = try hosts.map { name, server, address in
            try #require(PinnedHost(host: "\(name).example", port: server.port, address: address))
        }
        return try HTTPClient(configuration)
    }

    private func ask(
        _ host: String, _ path: String = "/", at server: LoopbackServer, _ client: HTTPClient
    ) async -> Result<Int, OutboundFault> {
        do throws(OutboundFault) {
            guard let url = try? HTTPURL("http://\(host).example:\(server.port)\(path)") else {
                return .failure(.resolve)
            }
            return .success(try await client.send(HTTPRequest(.get, url, timeout: .seconds(30))).status)
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "Beyond the limit of a network a request is refused, whatever the host is called and whoever has a connection")
    func limit() async throws {
        let server = try server()
        let client = try client(["a", "b", "c"].map { ($0, server, "127.0.0.1") } + [("d", server, "127.0.1.1")])
        for host in ["a", "b", "c"] { #expect(await ask(host, at: server, client) == .success(200)) }
        let hanging = ["a", "b"].map { host in Task { await ask(host, "/hang", at: server, client) } }
        try await eventually { hung.withLock { $0 } == 2 }
        for _ in 1...2 { #expect(await ask("c", at: server, client) == .failure(.overloaded)) }
        // No connection of another network is refused for that: nobody listens there.
        #expect(await ask("d", at: server, client) == .failure(.connect))
        for task in hanging { task.cancel() }
        for task in hanging { #expect(await task.value == .failure(.canceled)) }
        for host in ["a", "b", "c"] { #expect(await ask(host, at: server, client) == .success(200)) }
    }

    @Test("Names and ports that never answer leave places in their network to those that have answered")
    func answered() async throws {
        let (server, other) = (try server(), try server())
        let client = try client(
            ["good", "a", "b"].flatMap { [($0, server, "127.0.0.1"), ($0, other, "127.0.0.1")] })
        #expect(await ask("good", at: server, client) == .success(200))
        // A name of a stranger that leads there, and another port of the same host.
        let hanging = [("a", server), ("good", other)].map { host, server in
            Task { await ask(host, "/hang", at: server, client) }
        }
        try await eventually { hung.withLock { $0 } == 2 }
        for (host, server) in [("b", server), ("good", other)] {
            #expect(await ask(host, at: server, client) == .failure(.overloaded))
        }
        #expect(await ask("good", at: server, client) == .success(200))
        for task in hanging { task.cancel() }
        for task in hanging { #expect(await task.value == .failure(.canceled)) }
    }

    @Test("A network is a /24 or a /48")
    func networks() throws {
        func network(_ text: String) throws -> IPAddress {
            let address: IPAddress = try #require(IPAddress(text))
            return address.ownersNetwork
        }
        #expect(try network("192.0.2.1") == network("192.0.2.255"))
        #expect(try network("192.0.2.1") != network("192.0.3.1"))
        #expect(try network("::ffff:192.0.2.9") == network("192.0.2.1"))
        #expect(try network("2001:db8:1:2::1") == network("2001:db8:1:ffff::9"))
        #expect(try network("2001:db8:1::1") != network("2001:db8:2::1"))
    }
}
