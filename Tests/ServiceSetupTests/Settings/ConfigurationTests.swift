import LightningCoding
import Testing
@testable import ServiceSetup

@Suite("The configuration", .timeLimit(.minutes(2)))
struct ConfigurationTests {
    private func sources(
        flags: [String: String] = [:],
        environment: [String: String] = [:],
        file: String? = nil
    ) -> SettingSources {
        SettingSources(flags: flags, environment: environment, file: file.map { ("c.yaml", Array($0.utf8)) })
    }

    private func faults(_ sources: SettingSources) -> [String] {
        do {
            _ = try ServiceConfiguration(sources)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test("Without settings everything has its default")
    func defaults() throws {
        let configuration = try ServiceConfiguration(sources())
        #expect(configuration.listen == ListenAddress(host: "127.0.0.1", port: 8080))
        #expect(configuration.adminListen == ListenAddress(host: "127.0.0.1", port: 8081))
        #expect(configuration.dataDirectory == "responder-data")
        #expect(configuration.publicURL.authority == "127.0.0.1:8080")
        #expect(configuration.embedded.network == .regtest && !configuration.embedded.allowMainnet)
    }

    @Test("Every default would be valid if it were given", arguments: SettingTable.rows.map(\.key))
    func defaultsAreValid(key: String) throws {
        let row = try #require(SettingTable.row(key))
        if let text = row.standardText { #expect(throws: Never.self) { try row.check(text) } }
        #expect(!row.explanation.isEmpty)
    }

    @Test("Precedence is flag, environment, file, default")
    func precedence() throws {
        let file = "info-max-age: 1\nlimits:\n  body: 2000\nlog-level: debug\n"
        let environment = ["RESPONDER_INFO_MAX_AGE": "2", "RESPONDER_LIMITS_BODY": "3000"]
        let configuration = try ServiceConfiguration(
            sources(flags: ["info-max-age": "3"], environment: environment, file: file)
        )
        #expect(configuration.infoMaxAge == 3)
        #expect(configuration.limits.body == 3000)
        #expect(configuration.logLevel == .debug)
        #expect(configuration.limits.connections == 4096)
    }

    @Test(
        "A mistake in the file is reported with its key and line",
        arguments: [
            ("\nlistn: a:1\n", "c.yaml, line 2: listn is not a setting; did you mean listen?"),
            ("colour: red\n", "c.yaml, line 1: colour is not a setting"),
            ("limits:\n  bdy: 1\n", "c.yaml, line 2: limits.bdy is not a setting; did you mean limits.body?"),
            ("limts:\n  body: 5000\n", "c.yaml, line 1: limts is not a setting; did you mean limits?"),
            ("# x\ninfo-max-age: soon\n", "c.yaml, line 2: info-max-age must be whole number"),
            ("info-max-age: 86401\n", "c.yaml, line 1: info-max-age must be between 0 and 86400"),
            ("info-max-age: -1\n", "c.yaml, line 1: info-max-age must be whole number"),
            ("info-max-age: [1]\n", "c.yaml, line 1: info-max-age must be whole number"),
            ("info-max-age:\n", "c.yaml, line 1: info-max-age must be whole number"),
            ("limits: 7\n", "c.yaml, line 1: limits must be keys with values"),
            ("listen: here\n", "c.yaml, line 1: listen must be host:port"),
            ("log-format: xml\n", "c.yaml, line 1: log-format must be text | json"),
            ("embedded:\n  allow-mainnet: yes\n", "c.yaml, line 2: embedded.allow-mainnet must be true | false"),
            ("listen: a:1\nlisten: a:1\n", "c.yaml, line 2: listen is repeated; it was first set in line 1"),
            (
                "public-url: http://example.com\n",
                "c.yaml, line 1: public-url must begin with https (http is for .onion and loopback only)"
            ),
            ("public-url: https://a.example/x\n", "c.yaml, line 1: public-url must not have a path or query"),
            ("- a\n", "c.yaml, line 1 must be keys with values"),
            (
                "listen: localhost:9\n\nadmin-listen: localhost:9\n",
                "c.yaml, line 3: admin-listen must be another address than listen, localhost:9"
            ),
            (
                "listen: 127.0.0.1:8081\n",
                "c.yaml, line 1: listen must be another address than admin-listen, 127.0.0.1:8081"
            ),
            (
                "trust-forwarded-host: true\n",
                "c.yaml, line 1: trust-forwarded-host needs trusted-proxies, which is empty: nobody is trusted"
            ),
            (
                "embedded:\n  network: bitcoin\n",
                "c.yaml, line 2: embedded.network is bitcoin: the embedded node cannot be paid, so its mainnet "
                    + "invoices mislead payers; set embedded.allow-mainnet if you want that"
            ),
        ]
    )
    func fileFaults(file: String, fault: String) {
        #expect(faults(sources(file: file)) == [fault])
    }

    @Test("All mistakes are reported at once")
    func allFaults() {
        let found = faults(sources(environment: ["RESPONDER_LISTN": "x"], file: "listn: 1\nlog-level: loud\n"))
        #expect(found.count == 3)
    }

    @Test("A mistyped variable is a mistake; one that resembles no setting is another program's, and only mentioned")
    func environmentTypos() throws {
        #expect(
            faults(sources(environment: ["RESPONDER_LISTN": "127.0.0.1:1"]))
                == ["environment variable RESPONDER_LISTN is not a setting; did you mean RESPONDER_LISTEN?"]
        )
        let strange = sources(environment: ["RESPONDER_SERVICE_HOST": "1", "RESPONDER_CONFIG": "c", "HOME": "/"])
        #expect(strange.strangeVariables == ["RESPONDER_SERVICE_HOST"])
        #expect(throws: Never.self) { try ServiceConfiguration(strange) }
    }

    @Test("A wrong value names its flag or variable")
    func origins() {
        #expect(faults(sources(flags: ["listen": "x"])) == ["flag --listen must be host:port"])
        #expect(
            faults(sources(environment: ["RESPONDER_LIMITS_HEADER_TIME": "0"]))
                == ["environment variable RESPONDER_LIMITS_HEADER_TIME must be between 1 and 300"]
        )
    }

    @Test("A list is a list in the file, and comma-separated in a flag")
    func lists() throws {
        let hosts = Setting<[String]>("hosts", standard: [], "Hosts.")
        #expect(hosts.standardText == "none")
        #expect(try hosts.read("a, b,c") == ["a", "b", "c"])
        #expect(try hosts.read("none") == [])
        #expect(throws: SettingProblem.wrongForm(expected: "list of text")) { try hosts.read("a,,b") }
        #expect(throws: SettingProblem.wrongForm(expected: "list of text")) { try hosts.read("") }
    }

    @Test("Valid combinations are accepted: two free ports, and confirmed mainnet")
    func together() {
        #expect(
            faults(sources(flags: ["listen": "[::1]:0", "admin-listen": "[::1]:0", "public-url": "https://a.example"]))
                == [])
        #expect(
            faults(sources(flags: ["embedded.network": "bitcoin"], file: "embedded:\n  allow-mainnet: true\n")) == [])
    }

    @Test("On an address other than loopback the public URL is required")
    func publicURL() throws {
        #expect(
            faults(sources(flags: ["listen": "0.0.0.0:80"]))
                == [
                    "configuration: public-url is missing: other machines can reach 0.0.0.0:80, so the public address must be given"
                ]
        )
        let configuration = try ServiceConfiguration(
            sources(flags: ["listen": "0.0.0.0:80", "public-url": "https://pay.example.com"])
        )
        #expect(configuration.publicURL.authority == "pay.example.com")
    }

    @Test(
        "A similar name is suggested when there is one",
        arguments: [("listn", "listen"), ("litsen", "listen"), ("data-dir", nil), ("adminlisten", "admin-listen")]
            as [(String, String?)]
    )
    func nearest(name: String, meant: String?) {
        #expect(NearestName.to(name, among: SettingTable.rows.map(\.key)) == meant)
    }
}
