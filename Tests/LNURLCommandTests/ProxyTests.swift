import Bolt12
import LightningCoding
import LightningCrypto
import LoopbackServer
import Testing

@Suite("lnurl through a proxy", .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let onion = "juhaavcaxhxlp77nkq76byazcldy2hlmovfu2epvl5ankdibsot4csyd.onion"

    /// Whether Tor's port is free on the local machine.
    private static var isTorPortFree: Bool { (try? FakeProxy(.hangsUp, port: 9050)) != nil }

    @Test("--proxy sends every request through the proxy, which resolves the names")
    func proxy() async throws {
        let service = try FakePayService()
        let proxy = try FakeProxy(.connects(to: service.port))
        let run = try await ToolRun(
            "request", "alice@\(Self.onion)", "21sat", "--network", "regtest", "--json",
            "--proxy", "socks5h://127.0.0.1:\(proxy.port)")
        #expect(run.errors == "")
        #expect(run.status == 0)
        #expect(Set(proxy.targets) == [.name(Self.onion, 80)])
        #expect(service.requests.map(\.path) == ["/.well-known/lnurlp/alice", "/callback"])
        #expect(service.requests.allSatisfy { $0.header("host") == Self.onion })
    }

    @Test("--tor uses Tor's default port on the local machine", .enabled(if: Self.isTorPortFree))
    func tor() async throws {
        let service = try FakePayService()
        let proxy = try FakeProxy(.connects(to: service.port), port: 9050)
        let run = try await ToolRun("info", "alice@\(Self.onion)", "--tor")
        #expect(run.status == 0)
        #expect(proxy.targets == [.name(Self.onion, 80)])
    }

    @Test(
        "A proxy that does not connect is a missing response",
        arguments: [
            .refuses(code: 4), .wantsPassword, .hangsUp, .says(Array("HTTP/1.1 400 Bad\r\n\r\n".utf8)),
        ] as [FakeProxy.Behavior])
    func refusal(behavior: FakeProxy.Behavior) async throws {
        let service = try FakePayService()
        let proxy = try FakeProxy(behavior)
        let address = "socks5h://127.0.0.1:\(proxy.port)"
        let run = try await ToolRun("info", "alice@\(Self.onion)", "--json", "--proxy", address)
        #expect(run.status == 4)
        #expect(try run.json["fault"]?["name"] == "proxy")
        #expect(proxy.connections == 1)
        #expect(service.requests.isEmpty)
    }

    @Test("A silent proxy times out")
    func hanging() async throws {
        let proxy = try FakeProxy(.hangs)
        let address = "socks5h://127.0.0.1:\(proxy.port)"
        let run = try await ToolRun("info", "alice@\(Self.onion)", "--json", "--timeout", "0.2", "--proxy", address)
        #expect(run.status == 4)
        #expect(try run.json["fault"]?["name"] == "timeout")
    }

    @Test("Without a listening proxy, the service is not contacted directly")
    func nobody() async throws {
        let service = try FakePayService()
        let nobody = try ClosedPort()
        let run = try await ToolRun("info", service.address, "--proxy", "socks5h://127.0.0.1:\(nobody.port)")
        #expect(run.status == 4)
        #expect(service.requests.isEmpty)
    }
}

extension OfferRequestTests {
    @Test("A node is reached through a proxy, which resolves its name")
    func proxy() async throws {
        let offer = try Self.offer(Self.payee)
        try await LightningNode.run(key: Self.payee, payee: Self.invoice) { payee in
            let proxy = try FakeProxy(.connects(to: payee.listening.port))
            let run = try await ToolRun(
                "offer", "request", offer.text, "--amount", "21sat", "--json", "--via",
                "\(payee.key.publicKey)@peer.example:9735", "--proxy", "127.0.0.1:\(proxy.port)")
            #expect(run.errors == "")
            #expect(run.status == 0)
            #expect(try run.json["amount"] == 21_000)
            #expect(proxy.targets == [.name("peer.example", 9735)])
        }
    }

    @Test("A proxy that does not reach the node is named as the cause")
    func refusingProxy() async throws {
        let offer = try Self.offer(Self.payee)
        let proxy = try FakeProxy(.refuses(code: 5))
        let run = try await ToolRun(
            "offer", "request", offer.text, "--amount", "21sat", "--via",
            "\(try Issuer.key(Self.payee).publicKey)@peer.example:9735", "--proxy", "127.0.0.1:\(proxy.port)")
        #expect(run.status == 4)
        #expect(run.errors.contains("the proxy says: the peer refuses the connection"))
    }
}
