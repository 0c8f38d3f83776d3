import Platform
import ResponderModel
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Devices

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Times pushes to a server that takes HTTP/2 in the clear and answers each with 200, and the same pushes by plain libcurl.
///
/// Both send the same body and fields to the same server, as many at once, over one connection whose first request goes alone.
/// Ours makes body, fields and URL anew for each push, which a task of its own awaits; libcurl alone has them ready, sets no
/// timeout, and reads nothing of an answer but its status.
struct PushMeasurements {
    enum Fault: Error {
        case token
        case notTaken(PushOutcome)
    }

    private static let topic = "com.example.wallet"
    /// How many are on their way at once: as many as a provider's connection carries.
    private static let atOnce = 100
    /// How many tasks send, each one push after the other.
    private static let tasks = 200

    private let sender: PushSender
    private let target: PushAddress
    private let message: PushMessage
    private let bare: BarePush

    init(_ server: HTTPURL) throws {
        let key = try APNsKey(
            id: "ABC123DEFG", team: "DEF123GHIJ", P256SecretKey([UInt8](repeating: 0x42, count: 32)))
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        let provider = APNsProvider(
            key: key, topic: Self.topic, servers: [.production: server], client: client,
            tokensIn: Tokens())
        guard let token = APNsToken(String(repeating: "ab", count: 32)) else { throw Fault.token }
        sender = PushSender(apns: provider, fcm: nil, webPush: nil)
        target = .apns(token, .production)
        let expires = UnixTime.now().adding(seconds: 3600)
        let payload: JSONObject = [
            "callback_url": "https://pay.example.com/lnurlp/alice/callback",
            "reply_url": "https://pay.example.com/response/12345678901234567890",
        ]
        message = PushMessage(
            PushContent(type: "lnurlpay_info", title: "Receiving payment", payload: payload), .reply, expires: expires)
        var body: JSONObject = ["aps": ["alert": ["title": "Receiving payment"], "mutable-content": 1]]
        body.append("notification_type", "lnurlpay_info")
        body.append("notification_payload", .string(JSONValue.object(payload).serialized()))
        bare = BarePush(
            to: server.appendingPath("3/device/" + token.text).text,
            headers: [
                "authorization: bearer \(try key.token(issuedAt: .now()))", "apns-topic: \(Self.topic)",
                "apns-push-type: alert", "apns-priority: 10", "apns-expiration: \(expires.seconds)",
                "content-type: application/json",
            ], body: JSONValue.object(body).serialized())
    }

    /// Nanoseconds of one push, by round: of the clock, and of all processors.
    struct Times {
        var wall: [UInt64] = []
        var processor: [UInt64] = []

        fileprivate mutating func add(_ count: Int, _ pushes: () async throws -> Void) async throws {
            // In microseconds, as POSIX has it.
            let (start, processorStart) = (MonotonicTime.now, clock())
            try await pushes()
            processor.append((Duration.microseconds(clock() - processorStart) / count).nanoseconds)
            wall.append(((MonotonicTime.now - start) / count).nanoseconds)
        }
    }

    /// Times both alternately, so that a slow moment of the machine affects both alike.
    func timed(rounds: Int, pushes: Int) async throws -> (pushes: Times, bare: Times) {
        var result = (pushes: Times(), bare: Times())
        for _ in 0..<rounds {
            try await result.pushes.add(pushes) { try await send(pushes) }
            try await result.bare.add(pushes) { try bare.send(pushes, atOnce: Self.atOnce) }
        }
        return result
    }

    private func send(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.tasks {
                group.addTask { [sender, message, target] in
                    for _ in 0..<count / Self.tasks {
                        let outcome = await sender.send(message, to: target)
                        guard case .accepted = outcome else { throw Fault.notTaken(outcome) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

private actor Tokens: ProviderTokenLedger {
    private var tokens: [String: ProviderToken] = [:]

    func providerToken(of key: String) -> ProviderToken? { tokens[key] }

    func keep(_ token: ProviderToken, of key: String, replacing former: ProviderToken?) -> ProviderToken {
        if tokens[key] == former { tokens[key] = token }
        return tokens[key] ?? token
    }
}
