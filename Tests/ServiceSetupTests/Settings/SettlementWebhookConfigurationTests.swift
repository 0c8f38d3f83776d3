import LightningCoding
import ResponderModel
import Testing
@testable import ServiceSetup

@Suite("The configuration of settlement webhooks", .timeLimit(.minutes(5)))
struct SettlementWebhookConfigurationTests {
    private func configuration(_ file: String) throws(ConfigurationFaults) -> SettlementWebhookConfiguration {
        try ServiceConfiguration(
            SettingSources(flags: [:], environment: [:], file: ("c.yaml", Array(file.utf8)))
        ).settlementWebhook
    }

    @Test("No webhook is called by default; a URL requires a secret, and https")
    func settings() throws {
        let standard = try configuration("")
        #expect(standard.standard == nil && !standard.allowsPrivate)
        let given = try configuration(
            "settlement-webhook:\n  url: https://example.com/paid\n  secret-file: /etc/responder/secret\n")
        #expect(
            given.standard
                == SettlementWebhook(url: try HTTPURL("https://example.com/paid"), secretFile: "/etc/responder/secret"))
        let plain = "settlement-webhook:\n  url: http://10.0.0.1/paid\n  secret-file: s\n"
        #expect(throws: ConfigurationFaults.self) { try configuration(plain) }
        #expect(try configuration(plain + "  allow-private: true\n").standard?.url.text == "http://10.0.0.1/paid")
    }

    @Test("A URL without a secret, or a secret without a URL, is refused")
    func halves() {
        for line in ["url: https://example.com/paid", "secret-file: s"] {
            #expect(throws: ConfigurationFaults.self) { try configuration("settlement-webhook:\n  \(line)\n") }
        }
    }
}
