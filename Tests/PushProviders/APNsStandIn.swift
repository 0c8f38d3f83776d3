package import LightningCoding
package import LightningCrypto
import Platform

/// A stand-in for APNs that checks every rule of Apple's documentation, in order; the first broken one is the answer.
package final class APNsStandIn: Sendable {
    /// A notification that it has taken.
    package struct Accepted: Sendable {
        /// The device.
        package let token: String
        /// The fields.
        package let headers: [String: String]
        /// The body.
        package let body: JSONValue
        /// The number of the connection.
        package let connection: Int
    }

    private struct State: Sendable {
        var accepted: [Accepted] = []
        var scripts: [String: [HTTP2Answer]] = [:]
        var everything: [HTTP2Answer] = []
        var tokens: [Int: (token: String, since: UnixTime)] = [:]
        var refusals: [String] = []
        var opened: Set<Int> = []
    }

    private let key: P256PublicKey
    private let keyID: String
    private let team: String
    private let topics: Set<String>
    private let clock: WallClock
    private let state: Guarded<State>
    private let server = Guarded<HTTP2Server?>(nil)

    /// Starts it.
    ///
    /// - Parameters:
    ///   - key: what tokens are signed with.
    ///   - keyID: the key's id.
    ///   - team: the key's team.
    ///   - topics: the apps that the key is for.
    ///   - clock: judges the age of tokens.
    package init(
        key: P256PublicKey, keyID: String, team: String, topics: Set<String>, clock: @escaping WallClock = { .now() }
    ) async throws {
        self.key = key
        self.keyID = keyID
        self.team = team
        self.topics = topics
        self.clock = clock
        state = Guarded(State())
        let started = try await HTTP2Server(streams: 1) { [weak self] in self?.answer($0) ?? HTTP2Answer(503) }
        server.withLock { $0 = started }
    }

    /// Where it is.
    package var url: HTTPURL {
        get throws { try HTTPURL("http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })") }
    }

    /// What it has taken, in order.
    package var accepted: [Accepted] { state.withLock { $0.accepted } }
    /// The reasons of its refusals by rule, in order; scripted ones do not count.
    package var refusals: [String] { state.withLock { $0.refusals } }
    /// What has happened on its connections.
    package var record: HTTP2Server.Records { server.withLock { $0?.record ?? HTTP2Server.Records() } }

    /// The next answers to valid notifications for a device.
    package func script(_ token: String, _ answers: [HTTP2Answer]) {
        state.withLock { $0.scripts[token, default: []] += answers }
    }

    /// How many of these have not been given yet.
    package func scripted(_ token: String) -> Int { state.withLock { $0.scripts[token, default: []].count } }

    /// The next answers to valid notifications for any device.
    package func script(_ answers: [HTTP2Answer]) {
        state.withLock { $0.everything += answers }
    }

    private func answer(_ request: HTTP2Request) -> HTTP2Answer {
        if let (status, reason) = fault(in: request) {
            state.withLock { $0.refusals.append(reason) }
            return HTTP2Answer(status, #"{"reason":"\#(reason)"}"#)
        }
        let token = String(request.path.dropFirst("/3/device/".count))
        return state.withLock { state in
            let isFirst = state.opened.insert(request.connection).inserted
            var answer = HTTP2Answer(200, headers: [(name: "apns-id", value: "00000000-0000-4000-8000-000000000000")])
            if state.scripts[token]?.isEmpty == false, let next = state.scripts[token]?.removeFirst() {
                answer = next
            } else if !state.everything.isEmpty {
                answer = state.everything.removeFirst()
            }
            if answer.status == 200, answer.after == .nothing || answer.after == .goAway {
                let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
                if let body = try? JSONValue(parsing: request.body) {
                    state.accepted.append(
                        Accepted(token: token, headers: headers, body: body, connection: request.connection))
                }
            }
            if isFirst, answer.after == .nothing { answer.after = .streams(1000) }
            return answer
        }
    }

    private func fault(in request: HTTP2Request) -> (Int, String)? {
        guard request.method == "POST" else { return (405, "MethodNotAllowed") }
        guard request.path.hasPrefix("/3/device/") else { return (404, "BadPath") }
        let token = request.path.dropFirst("/3/device/".count)
        guard (2...200).contains(token.utf8.count), token.utf8.count.isMultiple(of: 2),
            token.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { return (400, "BadDeviceToken") }
        let names = request.headers.map(\.name)
        guard Set(names).count == names.count else { return (400, "DuplicateHeaders") }
        return tokenFault(in: request) ?? headerFault(in: request) ?? bodyFault(in: request)
    }

    private func tokenFault(in request: HTTP2Request) -> (Int, String)? {
        guard let field = request.field("authorization"), field.hasPrefix("bearer ") else {
            return (403, "MissingProviderToken")
        }
        let parts = field.dropFirst("bearer ".count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let signature = try? Base64URL.decode(parts[2]), header["alg"] == "ES256",
            header["kid"]?.string == keyID, claims["iss"]?.string == team, let issued = claims["iat"]?.uint64,
            key.isValid(signature, for: Array("\(parts[0]).\(parts[1])".utf8))
        else { return (403, "InvalidProviderToken") }
        let now = clock()
        guard issued <= now.seconds + 60 else { return (403, "InvalidProviderToken") }
        guard now.seconds <= issued + 3600 else { return (403, "ExpiredProviderToken") }
        let isTooNew = state.withLock { state in
            defer {
                if state.tokens[request.connection]?.token != field { state.tokens[request.connection] = (field, now) }
            }
            guard let last = state.tokens[request.connection], last.token != field else { return false }
            return now.seconds(since: last.since) < 1200
        }
        return isTooNew ? (429, "TooManyProviderTokenUpdates") : nil
    }

    private func headerFault(in request: HTTP2Request) -> (Int, String)? {
        guard let kind = request.field("apns-push-type"), ["alert", "background"].contains(kind) else {
            return (400, "InvalidPushType")
        }
        guard let topic = request.field("apns-topic") else { return (400, "MissingTopic") }
        guard topics.contains(topic) else { return (400, "TopicDisallowed") }
        let priority = request.field("apns-priority") ?? "10"
        guard ["1", "5", "10"].contains(priority), kind != "background" || priority == "5" else {
            return (400, "BadPriority")
        }
        if let expiration = request.field("apns-expiration"), UInt64(expiration) == nil {
            return (400, "BadExpirationDate")
        }
        if let id = request.field("apns-collapse-id"), id.utf8.count > 64 { return (400, "BadCollapseId") }
        guard request.field("content-encoding") == nil else { return (400, "BadMessageId") }
        return nil
    }

    private func bodyFault(in request: HTTP2Request) -> (Int, String)? {
        guard !request.body.isEmpty else { return (400, "PayloadEmpty") }
        guard request.body.count <= 4096 else { return (413, "PayloadTooLarge") }
        guard let aps = (try? JSONValue(parsing: request.body))?["aps"]?.object else { return (400, "PayloadEmpty") }
        if request.field("apns-push-type") == "background" {
            return JSONValue.object(aps) == ["content-available": 1] ? nil : (400, "InvalidPushType")
        }
        return aps["alert"] == nil && aps["sound"] == nil && aps["badge"] == nil ? (400, "InvalidPushType") : nil
    }

    private static func json(_ part: Substring) -> JSONValue? {
        (try? Base64URL.decode(part)).flatMap { try? JSONValue(parsing: $0) }
    }
}
