import ResponderCore
import LightningCoding
import TemporaryFolders
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Signatures as in Standard Webhooks", .timeLimit(.minutes(5)))
struct WebhookSigningTests {
    private func secret(_ text: String) throws(WebhookSecretFault) -> WebhookSigningSecret {
        try WebhookSigningSecret(Array(text.utf8))
    }

    /// The example in the tests of the reference libraries (github.com/standard-webhooks/standard-webhooks).
    @Test("The published example has exactly this signature", arguments: ["", "\n", " \r\n"])
    func example(ending: String) throws {
        let signature = try secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" + ending).signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: UnixTime(1_614_265_330),
            body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("A secret is whsec_ and base64 of 24 to 64 bytes")
    func rules() {
        let base64 = { (count: Int) in Base64.encode([UInt8](repeating: 7, count: count)) }
        for count in [24, 64] { #expect(throws: Never.self) { try secret("whsec_" + base64(count)) } }
        #expect(throws: WebhookSecretFault.length(23)) { try secret("whsec_" + base64(23)) }
        #expect(throws: WebhookSecretFault.length(65)) { try secret("whsec_" + base64(65)) }
        #expect(throws: WebhookSecretFault.noPrefix) { try secret(base64(24)) }
        #expect(throws: WebhookSecretFault.noPrefix) { try secret("WHSEC_" + base64(24)) }
        #expect(throws: WebhookSecretFault.notBase64) { try secret("whsec_" + base64(24) + "*") }
        #expect(throws: WebhookSecretFault.length(0)) { try secret("whsec_") }
        #expect(throws: WebhookSecretFault.noPrefix) { try secret("") }
    }

    @Test("A secret file must exist and be private; the error says what is wrong without revealing the secret")
    func files() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/secret"
        func reason() -> String? {
            do throws(WebhookSecretFileFault) {
                _ = try WebhookSigningSecret(file: path)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason() == "the secret file \(path): no such file")
        try writeFile("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".utf8, to: path)
        #expect(reason() == nil)
        chmod(path, 0o640)
        #expect(reason() == "the secret file \(path): it is accessible to others (mode 640); it must be 600")
        let short = folder.path + "/short"
        try writeFile("whsec_MfKQ".utf8, to: short)
        #expect(throws: WebhookSecretFileFault.self) { try WebhookSigningSecret(file: short) }
    }
}
