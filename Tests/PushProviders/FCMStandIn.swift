package import LightningCoding
package import LightningCrypto
import LoopbackServer
import Platform

/// A stand-in for Google's token endpoint and FCM, which checks requests as the documentation describes them.
package final class FCMStandIn: Sendable {
    private struct State: Sendable {
        var messages: [JSONValue] = []
        var scripts: [String: [HTTP2Answer]] = [:]
        var bearers: [String: UnixTime] = [:]
        var refusals: [String] = []
    }

    private let key: RSASecretKey
    private let project: String
    private let clock: WallClock
    private let lifetime: UInt64
    private let state = Guarded(State())
    private let server = Guarded<HTTP2Server?>(nil)
    private let tokenServer = Guarded<LoopbackServer?>(nil)

    /// Starts both servers.
    ///
    /// - Parameters:
    ///   - key: what assertions are signed with.
    ///   - project: the project of the account.
    ///   - lifetime: for how many seconds access tokens are valid.
    ///   - clock: judges assertions and tokens.
    package init(
        key: RSASecretKey, project: String, lifetime: UInt64 = 3599, clock: @escaping WallClock = { .now() }
    ) async throws {
        self.key = key
        self.project = project
        self.lifetime = lifetime
        self.clock = clock
        let started = try await HTTP2Server(streams: 100) { [weak self] in self?.answer($0) ?? HTTP2Answer(503) }
        server.withLock { $0 = started }
        let tokens = try LoopbackServer { [weak self] request in
            self?.token(for: request) ?? LoopbackAnswer(status: 503, "{}")
        }
        tokenServer.withLock { $0 = tokens }
    }

    /// Where FCM is.
    package var url: HTTPURL {
        get throws { try HTTPURL("http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })") }
    }
    /// Where access tokens are issued.
    package var tokenURL: HTTPURL {
        get throws { try HTTPURL("http://127.0.0.1:\(tokenServer.withLock { $0?.port ?? 0 })/token") }
    }

    /// The messages that it has taken, in order.
    package var messages: [JSONValue] { state.withLock { $0.messages } }
    /// What it has found wrong, in order; scripted answers do not count.
    package var refusals: [String] { state.withLock { $0.refusals } }
    /// How many access tokens it has issued.
    package var tokensIssued: Int { state.withLock { $0.bearers.count } }
    /// What has happened on its connections.
    package var record: HTTP2Server.Records { server.withLock { $0?.record ?? HTTP2Server.Records() } }

    /// The next answers to valid messages for a device.
    package func script(_ token: String, _ answers: [HTTP2Answer]) {
        state.withLock { $0.scripts[token, default: []] += answers }
    }

    /// Makes all access tokens invalid.
    package func revoke() {
        state.withLock { $0.bearers = $0.bearers.mapValues { _ in UnixTime(0) } }
    }

    /// The body of an error, as FCM writes it.
    package static func error(_ status: Int, _ code: String, field: String? = nil) -> String {
        let violations = field.map {
            #",{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#($0)","description":"x"}]}"#
        }
        let detail = #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#
        return #"{"error":{"code":\#(status),"message":"x","status":"X","details":[\#(detail)\#(violations ?? "")]}}"#
    }

    private func token(for request: LoopbackRequest) -> LoopbackAnswer {
        let fault = assertionFault(in: request)
        return state.withLock { state in
            if let fault {
                state.refusals.append(fault)
                return LoopbackAnswer(status: 400, #"{"error":"invalid_grant"}"#)
            }
            let bearer = "bearer-\(state.bearers.count + 1)"
            state.bearers[bearer] = clock().adding(seconds: lifetime)
            return LoopbackAnswer(#"{"access_token":"\#(bearer)","expires_in":\#(lifetime),"token_type":"Bearer"}"#)
        }
    }

    private func assertionFault(in request: LoopbackRequest) -> String? {
        let form = String(decoding: request.body, as: UTF8.self)
        let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        guard request.header("content-type") == "application/x-www-form-urlencoded", form.hasPrefix(prefix) else {
            return "form"
        }
        let parts = form.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let signature = try? Base64URL.decode(parts[2])
        else { return "assertion" }
        guard header["alg"] == "RS256", key.isValid(signature, for: Array("\(parts[0]).\(parts[1])".utf8)) else {
            return "signature"
        }
        guard let audience = try? tokenURL.text, claims["aud"]?.string == audience else { return "aud" }
        guard claims["scope"] == "https://www.googleapis.com/auth/firebase.messaging" else { return "scope" }
        guard let issued = claims["iat"]?.uint64, let expires = claims["exp"]?.uint64, expires > issued,
            expires - issued <= 3600
        else { return "exp" }
        let now = clock()
        guard now.seconds(since: UnixTime(issued)) <= 300, UnixTime(issued).seconds(since: now) <= 300 else {
            return "iat"
        }
        return nil
    }

    private func answer(_ request: HTTP2Request) -> HTTP2Answer {
        let bearer = request.field("authorization")?.split(separator: " ").last.map(String.init) ?? ""
        let isLive = state.withLock { $0.bearers[bearer].map { clock() < $0 } ?? false }
        guard isLive else { return refused(401, "bearer") }
        guard request.method == "POST", request.path == "/v1/projects/\(project)/messages:send" else {
            return refused(403, "project")
        }
        guard let message = (try? JSONValue(parsing: request.body))?["message"]?.object,
            let token = message["token"]?.string
        else { return refused(400, "message") }
        if let fault = Self.fault(in: message) { return refused(400, fault) }
        return state.withLock { state in
            if state.scripts[token]?.isEmpty == false, let next = state.scripts[token]?.removeFirst() { return next }
            state.messages.append(.object(message))
            return HTTP2Answer(200, #"{"name":"projects/\#(project)/messages/\#(state.messages.count)"}"#)
        }
    }

    private func refused(_ status: Int, _ reason: String) -> HTTP2Answer {
        state.withLock { $0.refusals.append(reason) }
        return HTTP2Answer(status, #"{"error":{"code":\#(status),"message":"\#(reason)","status":"X"}}"#)
    }

    private static func fault(in message: JSONObject) -> String? {
        let known = ["token", "data", "notification", "android", "apns", "webpush"]
        guard message.members.allSatisfy({ known.contains($0.key) }) else { return "unknown field" }
        var count = 0
        for member in message["data"]?.object?.members ?? [] {
            guard let text = member.value.string else { return "data" }
            let isReserved = ["from", "message_type"].contains(member.key) || member.key.hasPrefix("google.")
            guard !isReserved, !member.key.hasPrefix("gcm.notification.") else { return "reserved" }
            count += member.key.utf8.count + text.utf8.count
        }
        guard count <= 4096 else { return "size" }
        guard let ttl = message["android"]?["ttl"]?.string, ttl.hasSuffix("s"), let seconds = UInt64(ttl.dropLast()),
            seconds <= 2_419_200
        else { return "ttl" }
        guard ["normal", "high"].contains(message["android"]?["priority"]?.string) else { return "priority" }
        return nil
    }

    private static func json(_ part: Substring) -> JSONValue? {
        (try? Base64URL.decode(part)).flatMap { try? JSONValue(parsing: $0) }
    }
}
