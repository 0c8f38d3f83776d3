import LightningCoding
import LightningCrypto
import ResponderModel

/// A hook's posts to `/backend/{name}/events`: whatever they contain, they trigger a request for settlements.
///
/// Signed as `Responder-Signature: t=1790000000,v1=<hex>`: the HMAC-SHA256 with the shared secret over the time in
/// digits, a full stop and the body.
struct HookEvents: WebhookSource {
    private let key: HMACSHA256.Keyed
    private let clock: WallClock
    private let wake: @Sendable () -> Void

    /// The maximum difference between the signature's time and ours, in seconds.
    private static let tolerance: UInt64 = 300

    init(secret: SecretBytes, clock: @escaping WallClock, wake: @escaping @Sendable () -> Void) {
        key = HMACSHA256.Keyed(secret)
        self.clock = clock
        self.wake = wake
    }

    var bodyLimit: Int { 65_536 }

    func receive(_ call: BackendWebhook) async throws(WebhookFault) {
        guard let header = call.header("Responder-Signature") else { throw .forged }
        let parts = header.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].starts(with: "t=".utf8), parts[1].starts(with: "v1=".utf8) else {
            throw .forged
        }
        let digits = parts[0].dropFirst(2)
        guard let seconds = UInt64(digits: Substring(digits)),
            let code = try? Hexadecimal.decode(Substring(parts[1].dropFirst(3)))
        else { throw .forged }
        // The signature covers the digits exactly as in the header.
        guard key.isValid(code, for: Array(digits) + Array(".".utf8) + call.body) else { throw .forged }
        let now = clock().seconds
        guard max(now, seconds) - min(now, seconds) <= Self.tolerance else { throw .stale }
        wake()
    }
}
