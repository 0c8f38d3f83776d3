import LightningCoding
import ResponderModel
import Testing
@testable import ServiceSetup

@Suite("The configuration", .timeLimit(.minutes(5)))
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
            ("color: red\n", "c.yaml, line 1: color is not a setting"),
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
                "c.yaml, line 1: trust-forwarded-host requires trusted-proxies to be set"
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

    @Test("No mistake hides another: neither an unknown key, nor one in a section, nor a malformed value")
    func independentFaults() {
        let file = """
            listn: 1
            trust-forwarded-host: true
            public-url: http://example.com
            notifications: {key-file: k, texts: {nothing: x}, handlers: {lnurlpay_info: {url: 'https://a.example'}}}
            settlement-webhook: {url: https://shop.example/}
            backends:
              main: {kind: lnd, url: 'https://a.example', certifcate-file: c}
              second: {kind: core-lightning, calls: 0}
            domains: {example.org: {public-url: 'https://other.example', alias: a}}
            push: {vapid-key-file: k}
            """
        let expected = [
            "c.yaml, line 1: listn is not a setting; did you mean listen?",
            "c.yaml, line 3: public-url must begin with https (http is for .onion and loopback only)",
            "c.yaml, line 4: notifications.key-file needs notifications.key-purpose beside it",
            "c.yaml, line 4: notifications.texts.nothing is not a setting",
            "c.yaml, line 4: notifications.handlers.lnurlpay_info is answered by the service only, since money depends on the answer",
            "c.yaml, line 5: settlement-webhook.url needs settlement-webhook.secret-file beside it",
            "c.yaml, line 7: backends.main.certifcate-file is not a setting; did you mean certificate-file?",
            "c.yaml, line 7: backends.main needs macaroon-file",
            "c.yaml, line 8: backends.second.calls must be between 1 and 1000",
            "c.yaml, line 9: domains.example.org.alias is not a setting; did you mean aliases?",
            "c.yaml, line 9: domains.example.org needs a public-url at its own host, such as https://example.org",
            "c.yaml, line 2: trust-forwarded-host requires trusted-proxies to be set",
            "c.yaml, line 10: push.vapid-key-file needs push.vapid-contact beside it",
        ]
        #expect(faults(sources(file: file)) == expected)
    }

    @Test("What follows from a malformed value is not reported")
    func derivedFaults() {
        #expect(
            faults(sources(flags: ["listen": "0.0.0.0:80", "public-url": "x"]))
                == ["flag --public-url must be http(s) URL"])
        #expect(
            faults(sources(file: "trust-forwarded-host: true\ntrusted-proxies: [x]\n"))
                == ["c.yaml, line 2: trusted-proxies must be list of address or address/bits"])
        #expect(faults(sources(flags: ["listen": "0.0.0.0:80"], file: "a: [\n")).count == 1)
    }

    @Test(
        "The URL of a ledger that no connection can be made with is a mistake, of which it says no part",
        arguments: [
            ("postgresql://u:secret@h/d", "a password does not belong into the URL"),
            ("postgresql://h/d?options=-c", "the PostgreSQL URL must not have the parameter options"),
            ("postgresql://[h/d", "the PostgreSQL URL is not valid"), ("mysql://h/d", "begins with postgresql://"),
        ])
    func ledgerURL(url: String, reason: String) {
        let found = faults(sources(flags: ["ledger.url": url]))
        #expect(found.count == 1 && found.first?.hasPrefix("flag --ledger-url cannot be used: ") == true, "\(found)")
        #expect(found.first?.contains(reason) == true && found.first?.contains("secret") == false, "\(found)")
        #expect(faults(sources(flags: ["ledger.url": "postgresql://a.example,b.example/ledger"])) == [])
    }

    @Test("A public URL with the embedded node alone is for trials, unless wallets make the invoices")
    func trial() throws {
        func fault(_ file: String, _ flags: [String: String] = [:]) throws -> String? {
            try ServiceConfiguration(sources(flags: flags, file: "public-url: https://example.com\n" + file))
                .trialFault?
                .description
        }
        let expected =
            "c.yaml, line 1: public-url is public, and its payers would get invoices of the embedded node, which nobody can "
            + "pay: name a node below backends, or set trial (--trial) to try the service out"
        let phoenixd = "main: {kind: phoenixd, url: 'http://127.0.0.1:9740', password-file: p}"
        #expect(try fault("") == expected)
        #expect(try fault("backends: {embedded: {kind: embedded}}") == expected)
        #expect(try fault("", ["trial": "true"]) == nil)
        #expect(try fault("trial: true") == nil)
        #expect(try fault("backends: {\(phoenixd)}") == nil)
        #expect(try fault("backends: {embedded: {kind: embedded}, \(phoenixd)}") == nil)
        for wallets in ["gateway: {enabled: true}", "push: {fcm-account-file: f}"] {
            #expect(try fault(wallets) == nil)
            #expect(try fault(wallets + "\nbackends: {embedded: {kind: embedded}}") == expected)
            func nodes(_ flags: [String: String]) throws -> [String] {
                try ServiceConfiguration(sources(flags: flags, file: wallets)).backends.keys.map(\.description)
            }
            #expect(try nodes(["public-url": "https://example.com"]) == [])
            #expect(try nodes(["public-url": "https://example.com", "trial": "true"]) == ["embedded"])
            #expect(try nodes(["public-url": "http://127.0.0.1:8080"]) == ["embedded"])
        }
        #expect(try fault("", ["public-url": "http://127.0.0.1:8080"]) == nil)
        #expect(try fault("", ["public-url": "http://\(String(repeating: "a", count: 56)).onion"]) != nil)
    }

    @Test("Every file that a setting names is looked at, and no socket and no program")
    func files() {
        let sources = sources(
            flags: ["forwarding-hint.token-file": "t"],
            file: """
                ledger: {password-file: p}
                backends:
                  main: {kind: core-lightning, url: 'https://a.example', rune-file: r, certificate-file: c}
                  other: {kind: core-lightning, socket: s}
                  third: {kind: hook, command: [x]}
                notifications: {handlers: {a: {url: 'https://a.example', token-file: h}}}
                """)
        var seen: Set<String> = []
        let found = sources.faults(ofFiles: { path in
            seen.insert(path)
            return path == "r" ? nil : "no such file"
        })
        #expect(seen == ["t", "p", "r", "c", "h"])
        #expect(
            found.map(\.description) == [
                "c.yaml, line 1: ledger.password-file cannot be read: p: no such file",
                "flag --forwarding-hint-token-file cannot be read: t: no such file",
                "c.yaml, line 3: backends.main.certificate-file cannot be read: c: no such file",
                "c.yaml, line 6: notifications.handlers.a.token-file cannot be read: h: no such file",
            ])
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
