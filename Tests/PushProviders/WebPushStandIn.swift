package import ResponderModel
import Devices
package import LightningCoding
package import LightningCrypto
import LoopbackServer
import Platform

/// A stand-in for a push service with one subscriber, which checks requests as RFC 8030, 8291 and 8292 describe them.
package final class WebPushStandIn: Sendable {
    /// A message that the subscriber has got.
    package struct Message: Hashable, Sendable {
        /// For how many seconds it is kept.
        package let lifetime: UInt64
        /// How urgent it is.
        package let urgency: String?
        /// Replaces an undelivered one.
        package let topic: String?
        /// The decrypted text.
        package let text: String
    }

    private struct State: Sendable {
        var messages: [Message] = []
        var script: [(status: Int, headers: [String])] = []
        var refusals: [String] = []
    }

    private let subscriber: P256SecretKey
    private let secret: [UInt8]
    private let senderKey: String
    private let clock: WallClock
    private let state = Guarded(State())
    private let server = Guarded<LoopbackServer?>(nil)

    /// Starts it.
    ///
    /// - Parameters:
    ///   - subscriber: the subscriber's key.
    ///   - secret: the subscriber's secret.
    ///   - senderKey: the key that the subscription is bound to, in base64url.
    ///   - clock: judges tokens.
    package init(
        subscriber: P256SecretKey, secret: [UInt8], senderKey: String, clock: @escaping WallClock = { .now() }
    ) throws {
        self.subscriber = subscriber
        self.secret = secret
        self.senderKey = senderKey
        self.clock = clock
        let started = try LoopbackServer { [weak self] in self?.answer($0) ?? LoopbackAnswer(status: 503, "") }
        server.withLock { $0 = started }
    }

    /// The subscription, as its app hands it out.
    package var subscription: PushSubscription {
        get throws {
            let port = server.withLock { $0?.port ?? 0 }
            return try PushSubscription(
                endpoint: HTTPURL("http://127.0.0.1:\(port)/send/1"), key: subscriber.publicKey, secret: secret)
        }
    }

    /// One of its subscriptions as it stands in a webhook's URL; they differ by their endpoints.
    package func token(_ number: Int) throws -> String {
        let subscription = try subscription
        let json: JSONValue = [
            "endpoint": .string(subscription.endpoint.text + String(number)),
            "keys": [
                "p256dh": .string(Base64URL.encode(subscription.key.point)),
                "auth": .string(Base64URL.encode(subscription.secret)),
            ],
        ]
        return Base64URL.encode(json.serializedBytes())
    }

    /// What the subscriber has got, in order.
    package var messages: [Message] { state.withLock { $0.messages } }
    /// What it has found wrong, in order; scripted answers do not count.
    package var refusals: [String] { state.withLock { $0.refusals } }

    /// The next answers to valid messages.
    package func script(_ status: Int, headers: [String] = []) {
        state.withLock { $0.script.append((status, headers)) }
    }

    private func answer(_ request: LoopbackRequest) -> LoopbackAnswer {
        if let (status, reason) = fault(in: request) {
            state.withLock { $0.refusals.append(reason) }
            return LoopbackAnswer(status: status, reason)
        }
        return state.withLock { state in
            if !state.script.isEmpty {
                let (status, headers) = state.script.removeFirst()
                return LoopbackAnswer(status: status, "", headers: headers)
            }
            guard let text = try? WebPushEncryption.open(request.body, key: subscriber, secret: secret) else {
                state.refusals.append("decryption")
                return LoopbackAnswer(status: 201, "")
            }
            state.messages.append(
                Message(
                    lifetime: request.header("ttl").flatMap { UInt64($0) } ?? 0, urgency: request.header("urgency"),
                    topic: request.header("topic"), text: String(decoding: text, as: UTF8.self)))
            return LoopbackAnswer(status: 201, "", headers: ["Location: /m/\(state.messages.count)"])
        }
    }

    private func fault(in request: LoopbackRequest) -> (Int, String)? {
        guard request.method == "POST", request.path.hasPrefix("/send/") else { return (404, "path") }
        guard request.header("ttl").flatMap({ UInt64($0) }) != nil else { return (400, "TTL") }
        if let urgency = request.header("urgency"), !["very-low", "low", "normal", "high"].contains(urgency) {
            return (400, "Urgency")
        }
        if let topic = request.header("topic"), topic.utf8.count > 32 || (try? Base64URL.decode(topic)) == nil {
            return (400, "Topic")
        }
        guard request.header("content-encoding") == "aes128gcm" else { return (400, "Content-Encoding") }
        guard request.body.count <= 4096 else { return (413, "size") }
        return tokenFault(in: request)
    }

    private func tokenFault(in request: LoopbackRequest) -> (Int, String)? {
        guard let field = request.header("authorization"), field.hasPrefix("vapid t=") else { return (401, "missing") }
        let parts = field.dropFirst("vapid t=".count).split(separator: ", k=")
        guard parts.count == 2, parts[1] == senderKey, let key = try? P256PublicKey(Base64URL.decode(parts[1])) else {
            return (403, "k")
        }
        let token = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard token.count == 3, let claims = (try? Base64URL.decode(token[1])).flatMap({ try? JSONValue(parsing: $0) }),
            let signature = try? Base64URL.decode(token[2]),
            key.isValid(signature, for: Array("\(token[0]).\(token[1])".utf8))
        else { return (403, "signature") }
        let port = server.withLock { $0?.port ?? 0 }
        guard claims["aud"]?.string == "http://127.0.0.1:\(port)" else { return (403, "aud") }
        let now = clock().seconds
        guard let expires = claims["exp"]?.uint64, expires > now, expires - now <= 86_400 else { return (403, "exp") }
        guard claims["sub"]?.string?.hasPrefix("mailto:") == true else { return (403, "sub") }
        return nil
    }
}
