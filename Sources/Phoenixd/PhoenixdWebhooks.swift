import LightningCoding
import LightningCrypto
import Platform
import Contracts

/// phoenixd's webhooks: a JSON body, and in `X-Phoenix-Signature` its HMAC-SHA256 in hexadecimal, keyed with the text
/// of the webhook secret (`Api.kt`, `client.sendPipeline.intercept`). They are never repeated.
struct PhoenixdWebhooks: WebhookSource {
    private let key: HMACSHA256.Keyed
    private let wakeSignal: WakeSignal

    init(secret: SecretBytes, wakeSignal: WakeSignal) {
        key = HMACSHA256.Keyed(secret)
        self.wakeSignal = wakeSignal
    }

    /// A payer's note may be long; the rest is a few hundred bytes.
    var bodyLimit: Int { 16 << 10 }

    func receive(_ call: BackendWebhook) async throws(WebhookFault) {
        guard let digits = call.header("X-Phoenix-Signature"), let signature = try? Hexadecimal.decode(digits),
            key.isValid(signature, for: call.body)
        else { throw .forged }
        let event = try rethrowing(JSONValue(parsing: call.body)) { (fault: JSONFault) in
            WebhookFault.malformed("no JSON: \(fault.reason)")
        }
        guard let type = event["type"]?.string else { throw .malformed("type") }
        if type.isExactly("payment_received") { wakeSignal.wake() }
    }
}
