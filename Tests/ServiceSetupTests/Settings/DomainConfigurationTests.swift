import LNURL
import LightningCoding
import ResponderModel
import Testing
@testable import ServiceSetup

@Suite("The domains of the file", .timeLimit(.minutes(5)))
struct DomainConfigurationTests {
    private func configuration(_ text: String) throws -> ServiceConfiguration {
        try ServiceConfiguration(SettingSources(flags: [:], environment: [:], file: ("c.yaml", Array(text.utf8))))
    }

    @Test("A domain has the settings that are written, and https and its name for a URL")
    func read() throws {
        let domains = try configuration(
            """
            domains:
              Example.org:
                aliases: [www.example.org, pay.example.org]
                backends: main
                min-sendable: 1sat
                open-invoices: 7
                reserved: [admin, root]
                description: Pay {address}
              '*.example.net': {}
            """
        ).domains
        #expect(domains.map(\.publicURL.text) == ["https://example.org", "https://*.example.net"])
        let settings = try #require(domains.first?.settings)
        #expect(settings.aliases.map(\.text) == ["www.example.org", "pay.example.org"])
        #expect(settings.backends.map(\.description) == ["main"])
        #expect(settings.minSendable == Millisatoshi(1_000) && settings.maximumOpenInvoices == 7)
        #expect(settings.reserved.map(\.text) == ["admin", "root"] && settings.description == "Pay {address}")
    }

    @Test("Without the section there are none")
    func none() throws {
        #expect(try configuration("listen: 127.0.0.1:8080\n").domains.isEmpty)
    }

    @Test(
        "A mistake is named with its key and line",
        arguments: [
            ("  exa mple: {}", "c.yaml, line 2:", "domains.exa mple"),
            ("  example.org:\n    public-url: https://other.example", "c.yaml, line 3:", "domains.example.org"),
            (
                "  example.org:\n    public-url: 'http://example.org'", "c.yaml, line 3:",
                "domains.example.org.public-url"
            ),
            ("  example.org:\n    alias: a.example", "c.yaml, line 3:", "domains.example.org.alias"),
            ("  example.org: {}\n  Example.org.: {}", "c.yaml, line 3:", "domains.Example.org."),
            (
                "  example.org:\n    min-sendable: 2sat\n    max-sendable: 1sat", "c.yaml, line 3:",
                "domains.example.org"
            ),
        ])
    func mistakes(text: String, place: String, key: String) {
        let faults = #expect(throws: ConfigurationFaults.self) { try configuration("domains:\n" + text + "\n") }
        let words = faults?.faults.map(\.description).joined(separator: "\n") ?? ""
        #expect(words.contains(place) && words.contains(key), "\(words)")
    }
}
