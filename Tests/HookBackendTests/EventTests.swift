import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing
@testable import HookBackend

@Suite("Events of a hook", .timeLimit(.minutes(5)))
struct EventTests {
    private let now = UnixTime(1_790_000_000)
    private let secret = SecretBytes("a secret".utf8)
    private let body = Array(#"{"paid":true}"#.utf8)

    private func receive(_ header: String?, _ body: [UInt8]) async throws -> Int {
        let woken = Guarded(0)
        let events = HookEvents(secret: secret, clock: { [now] in now }) { woken.withLock { $0 += 1 } }
        let headers = header.map { [(name: "responder-signature", value: $0)] } ?? []
        try await events.receive(BackendWebhook(headers: headers, body: body))
        return woken.withLock { $0 }
    }

    private func signature(at seconds: UInt64, by secret: String = "a secret") -> String {
        let code = HMACSHA256.authenticate(Array("\(seconds).".utf8) + body, key: Array(secret.utf8))
        return "t=\(seconds),v1=\(Hexadecimal.encode(code))"
    }

    @Test("One that is signed with the agreed secret wakes who waits", arguments: [0, 300, -300] as [Int64])
    func signed(_ offset: Int64) async throws {
        let seconds = UInt64(Int64(now.seconds) + offset)
        #expect(try await receive(signature(at: seconds), body) == 1)
    }

    @Test("One signed with another secret, over another body or at another time is forged")
    func forged() async throws {
        let good = signature(at: now.seconds)
        let headers: [String?] = [
            nil, "", "t=1", signature(at: now.seconds, by: "another"), good + ",v1=00", "v1=00,t=1", good.uppercased(),
            good.replacing("t=", with: "t=0"),
        ]
        for header in headers {
            await #expect(throws: WebhookFault.forged, "\(header ?? "none")") { try await receive(header, body) }
        }
        await #expect(throws: WebhookFault.forged) { try await receive(good, body + [0x20]) }
    }

    @Test("One that was signed more than five minutes ago or ahead is stale", arguments: [301, -301] as [Int64])
    func stale(_ offset: Int64) async throws {
        let seconds = UInt64(Int64(now.seconds) + offset)
        await #expect(throws: WebhookFault.stale) { try await receive(signature(at: seconds), body) }
    }
}
