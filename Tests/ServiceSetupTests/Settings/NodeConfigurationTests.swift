import CoreLightning
import HookBackend
import LightningCoding
import LightningCrypto
import Phoenixd
import ResponderModel
import Testing
@testable import ServiceSetup

@Suite("Nodes in the configuration file", .timeLimit(.minutes(5)))
struct NodeConfigurationTests {
    private static let peer = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    private func configuration(_ text: String) throws -> ServiceConfiguration {
        try ServiceConfiguration(
            SettingSources(flags: [:], environment: [:], file: ("c.yaml", Array(text.utf8))))
    }

    private func node(_ lines: String...) throws -> NodeConfiguration? {
        let text = "backends:\n  main:\n" + lines.map { "    \($0)\n" }.joined()
        return try configuration(text).backends[#require(BackendName("main"))]
    }

    private func faults(_ lines: String...) -> [String] {
        do {
            _ = try configuration("backends:\n" + lines.map { "  \($0)\n" }.joined())
            return []
        } catch let faults as ConfigurationFaults {
            return faults.faults.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("A node has its kind, connection and load limits")
    func reads() throws {
        let node = try #require(
            try node(
                "kind: core-lightning", "socket: /run/lightning-rpc", "network: signet", "calls: 2", "waiting: 0",
                "deadline: 3", "peers: [\(Self.peer)]", "fee-slack: 100", "cltv-slack: 6"))
        let kind = try #require(node.kind as? CoreLightningKind)
        #expect(kind.configuration.transport == .socket(path: "/run/lightning-rpc"))
        #expect(node.network == .signet)
        #expect(node.load == BackendLoad(calls: 2, waiting: 0, deadline: .seconds(3)))
        let key = try PublicKey(Hexadecimal.decode(Self.peer))
        #expect(node.paths == PathPreferences(peers: [key], feeSlack: 100, cltvSlack: 6))
        let own = try self.node("kind: core-lightning", "socket: /s", "offers: own")?.kind as? CoreLightningKind
        #expect(own?.configuration.usesOwnOffers == true)
        #expect(!kind.configuration.usesOwnOffers)
    }

    @Test("Defaults suit a small node")
    func standard() throws {
        let node = try #require(try node("kind: hook", "url: http://127.0.0.1:9000/hook"))
        #expect(node.network == nil)
        #expect(node.load == BackendLoad())
        #expect(node.paths == PathPreferences())
        let url = try HTTPURL("http://127.0.0.1:9000/hook")
        #expect(
            (node.kind as? HookKind)?.address == .service(url))
        let program = try self.node("kind: hook", "command: [./a, -b]")?.kind as? HookKind
        #expect(program?.address == .program(["./a", "-b"], environment: ProcessEnvironment.forPrograms))
    }

    @Test("A phoenixd node's own offer belongs to the named account, or to none")
    func phoenixdOffer() throws {
        let lines = ["kind: phoenixd", "url: http://127.0.0.1:9740", "password-file: p"]
        let url = try HTTPURL("http://127.0.0.1:9740")
        for (line, account) in [
            ("calls: 8", nil), ("offers-account: Alice", "alice"),
            ("offers-account: Bob@Example.org", "bob@example.org"),
        ] {
            let kind = try #require(try node(lines[0], lines[1], lines[2], line)?.kind as? PhoenixdKind)
            #expect(
                kind.configuration
                    == PhoenixdConfiguration(
                        url: url, passwordPath: "p", offerLabel: account, limits: CallLimits(behind: BackendLoad())))
        }
        let found = faults(
            "main: {kind: phoenixd, url: 'http://127.0.0.1:9740', password-file: p, offers-account: al ice}")
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix(
                "must be an account: alice, or alice@example.org of another domain than the main one") == true)
    }

    @Test("phoenixd buys liquidity up to an amount of whole satoshis, and not by default")
    func liquidity() throws {
        let phoenixd = "main: {kind: phoenixd, url: 'http://127.0.0.1:9740', password-file: p, buys-liquidity-up-to: "
        let kind = try configuration("backends:\n  \(phoenixd)0.01btc}\n").backends.values.first?.kind
        #expect(try #require(kind as? PhoenixdKind).configuration.maximumWithPurchase == Millisatoshi(1_000_000_000))
        for wrong in ["1500msat", "0sat"] {
            #expect(
                faults(phoenixd + wrong + "}") == [
                    "c.yaml, line 2: backends.main.buys-liquidity-up-to must be whole satoshis, at least 1sat"
                ])
        }
        #expect(
            faults(phoenixd + "1000}") == [
                "c.yaml, line 2: backends.main.buys-liquidity-up-to must be amount as 21sat, 1500msat, 0.001btc"
            ])
    }

    @Test(
        "A secret is sent over https, to the local machine or to an onion service, for every kind of node",
        arguments: [
            "{kind: lnd, macaroon-file: f, url: ", "{kind: phoenixd, password-file: f, url: ",
            "{kind: core-lightning, rune-file: f, url: ", "{kind: hook, token-file: f, url: ",
        ])
    func secrets(node: String) throws {
        let onion = "http://" + String(repeating: "a", count: 56) + ".onion"
        for url in ["https://a.example", "http://127.0.0.1:1", "http://[::1]:1", "http://localhost", onion] {
            #expect(faults("main: \(node)'\(url)'}") == [])
        }
        for url in ["http://a.example", "http://192.168.0.1:8080"] {
            #expect(
                faults("main: \(node)'\(url)'}") == [
                    "c.yaml, line 2: backends.main needs a URL that keeps secrets: it must begin with https, or lead to this "
                        + "machine or an onion service"
                ])
        }
    }

    @Test("Only the configured concurrency and deadline apply: no limit of a backend ends a call earlier")
    func limits() {
        let load = BackendLoad(calls: 1_000, waiting: 0, deadline: .seconds(60))
        let calls = CallLimits(behind: load)
        #expect(calls.maximumConcurrency >= 2 * load.calls + 16)
        #expect(calls.connectTimeout >= load.deadline && calls.answerTimeout >= load.deadline)
    }

    @Test("The embedded node exists by default only without other nodes, or when configured")
    func embedded() throws {
        let hook = "{kind: hook, url: 'http://127.0.0.1:1/'}"
        for text in ["log-level: info\n", "backends: {}\n", "backends: {embedded: {kind: embedded}}\n"] {
            let configuration = try configuration(text)
            #expect(configuration.backends.keys.map(\.self) == [.embedded])
            #expect(configuration.backends.values.allSatisfy { $0.kind is EmbeddedKind })
            #expect(configuration.embeddedName == .embedded)
        }
        let real = try configuration("backends: {one: \(hook)}\n")
        #expect(real.backends.keys.map(\.description) == ["one"])
        #expect(real.embeddedName == nil)
        let both = try configuration("backends: {one: \(hook), trial: {kind: embedded}}\n")
        #expect(both.embeddedName?.description == "trial")
    }

    @Test("The embedded node's chain is a mistake only when there is such a node")
    func chain() throws {
        let chain = "embedded: {network: bitcoin}\n"
        #expect(throws: ConfigurationFaults.self) { try configuration(chain) }
        #expect(throws: ConfigurationFaults.self) {
            try configuration(chain + "backends: {trial: {kind: embedded}}\n")
        }
        _ = try configuration(chain + "backends: {one: {kind: hook, url: 'http://127.0.0.1:1/'}}\n")
    }

    @Test("Every mistake is reported with its line")
    func mistakes() {
        #expect(faults("main: {socket: /s}") == ["c.yaml, line 2: backends.main needs kind"])
        #expect(
            faults("main: {kind: core-lightning}") == ["c.yaml, line 2: backends.main needs one of socket and url"])
        #expect(
            faults("main: {kind: core-lightning, url: 'https://a.example/'}")
                == ["c.yaml, line 2: backends.main needs rune-file"])
        #expect(
            faults("main: {kind: hook, url: 'https://a.example/', command: [a]}")
                == ["c.yaml, line 2: backends.main needs one of url and command"])
        #expect(
            faults("main: {kind: hook, command: []}") == ["c.yaml, line 2: backends.main.command must name a program"])
        #expect(
            faults("embedded: {kind: hook, command: [a]}")
                == ["c.yaml, line 2: backends.embedded is the name of the embedded node; use another name"])
        #expect(
            faults("one: {kind: embedded}", "two: {kind: embedded}")
                == ["c.yaml, line 3: backends.two is a second embedded node; only one is allowed"])
        #expect(
            faults("one: {kind: embedded, calls: 8}") == ["c.yaml, line 2: backends.one.calls is not a setting"])
        #expect(
            faults("Main: {kind: hook, command: [a]}")
                == ["c.yaml, line 2: backends.Main is not a valid name: 1 to 64 characters of a-z 0-9 - _"])
        #expect(
            faults("main:", "  kind: hook", "  command: [a]", "  socket: /s")
                == ["c.yaml, line 5: backends.main.socket is not a setting"])
        #expect(
            faults("main:", "  kind: hook", "  command: [a]", "  deadline: 0")
                == ["c.yaml, line 5: backends.main.deadline must be between 1 and 60"])
    }

    @Test(
        "A setting that would have no effect is refused",
        arguments: [
            ("kind: core-lightning, socket: /s, rune-file: r", "rune-file applies only with url"),
            ("kind: core-lightning, socket: /s, certificate-file: c", "certificate-file applies only with url"),
            ("kind: hook, command: [a], token-file: t", "token-file applies only with url"),
            ("kind: hook, command: [a], certificate-file: c", "certificate-file applies only with url"),
            (
                "kind: hook, command: [a], webhook-secret-file: s",
                "webhook-secret-file applies only with url: a program posts no events"
            ),
            (
                "kind: core-lightning, socket: /s, offers: own, fee-slack: 1",
                "fee-slack applies only where the service builds the offers"
            ),
            (
                "kind: lnd, url: 'https://a.example/', macaroon-file: m, cltv-slack: 1",
                "cltv-slack applies only where the service builds the offers"
            ),
            (
                "kind: phoenixd, url: 'https://a.example/', password-file: p, peers: []",
                "peers applies only where the service builds the offers"
            ),
        ])
    func withoutEffect(node: String, fault: String) {
        #expect(faults("main: {\(node)}") == ["c.yaml, line 2: backends.main.\(fault)"])
    }

    @Test("All settings without effect are named at once")
    func allWithoutEffect() {
        #expect(
            faults("main: {kind: core-lightning, socket: /s, certificate-file: c, rune-file: r}") == [
                "c.yaml, line 2: backends.main.rune-file applies only with url",
                "c.yaml, line 2: backends.main.certificate-file applies only with url",
            ])
    }

    @Test("A setting is accepted where it has an effect")
    func withEffect() {
        #expect(faults("main: {kind: core-lightning, socket: /s, fee-slack: 1, cltv-slack: 1}") == [])
        #expect(
            faults("main: {kind: lnd, url: 'https://a.example/', macaroon-file: m, bolt12: on, fee-slack: 1}") == [])
        #expect(faults("main: {kind: hook, url: 'https://a.example/', token-file: t, certificate-file: c}") == [])
    }

    @Test("Where a phoenixd node's payments are followed from is told by the ledger's time, not by this machine's")
    func phoenixdTime() async throws {
        let node = try #require(try node("kind: phoenixd", "url: http://127.0.0.1:9740", "password-file: p"))
        let name = try #require(BackendName("main"))
        let backend = try node.connect(as: name, embedded: nil, clock: { UnixTime(2_000_000) }) { _ in false }
        #expect(try await backend.presentEnd() == SettlementCursor("listed 1999400999"))
    }

    @Test("An unreadable secret is reported with its node")
    func missingSecret() throws {
        let node = try #require(
            try node("kind: hook", "url: https://a.example/", "webhook-secret-file: /no/such/file"))
        let name = try #require(BackendName("main"))
        let fault = BackendFault.refused("the webhook secret file /no/such/file: no such file")
        #expect(throws: CommandFailure(.configuration, "backend main: cannot be used as configured: \(fault.reason)")) {
            try node.connect(as: name, embedded: nil, clock: { UnixTime(0) }) { _ in false }
        }
    }
}
