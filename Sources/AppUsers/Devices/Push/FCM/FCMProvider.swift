package import LightningCoding
package import OutboundHTTP
package import Platform
package import ResponderModel

package final class FCMProvider: Sendable {
    private let account: ServiceAccount
    private let server: HTTPURL
    private let route: ProviderRoute
    private let tokenClient: HTTPClient
    private let token = Guarded<AccessToken?>(nil)
    private let renewal = SingleFlight<Bool, Result<AccessToken, PushVerdict>>()
    private let lastAcceptance = Guarded(LastAcceptance())
    private let wallClock: WallClock
    private let clock: MonotonicClock
    private let report: @Sendable (PushReport) -> Void

    /// Creates a provider; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - account: whose messages are sent.
    ///   - server: where FCM is.
    ///   - client: how it is reached.
    ///   - wallClock: dates the tokens.
    ///   - clock: measures.
    ///   - report: is told of answers and alarms.
    /// - Throws: when the client for access tokens cannot be made.
    package init(
        account: ServiceAccount, server: HTTPURL, client: HTTPClient.Configuration,
        wallClock: @escaping WallClock = { .now() }, clock: MonotonicClock = .system,
        report: @escaping @Sendable (PushReport) -> Void = { _ in }
    ) throws(OutboundFault) {
        self.account = account
        self.server = server
        self.wallClock = wallClock
        self.clock = clock
        self.report = report
        route = ProviderRoute(client, clock: clock)
        var configuration = client
        configuration.http2 = nil
        tokenClient = try HTTPClient(configuration)
    }

    /// Sends a message, again as often as it may help.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - token: the device's token.
    ///   - platform: the device's platform.
    package func send(_ message: PushMessage, to token: String, _ platform: PushPlatform) async -> PushOutcome {
        let priority = message.priority
        var attempt = PushAttempt(priority)
        return await attempt.outcome(
            at: .fcm, clock, report, send: { await verdict(on: message, to: token, platform) },
            perform: { step in
                if step == .renewCredential {
                    self.token.withLock { $0 = nil }
                } else {
                    route.perform(step, priority)
                }
            })
    }

    private func verdict(on message: PushMessage, to token: String, _ platform: PushPlatform) async -> PushVerdict {
        let verdict = await route.send(
            message, to: token,
            request: { () async throws(PushVerdict) in
                let access = try await accessToken().get()
                let push = FCMPush(message, token: token, platform: platform, at: wallClock())
                return try rethrowing(
                    push.request(
                        project: account.project, authorization: access.text, at: server,
                        timeout: ProviderRoute.timeout), as: PushVerdict.invalidRequest("no request could be made"))
            }, meaning: PushVerdict.fcm)
        return lastAcceptance.withLock { $0.noted(verdict, at: clock.now()) }
    }

    /// The current access token, or a new one; whoever comes meanwhile waits for the same one.
    private func accessToken() async -> Result<AccessToken, PushVerdict> {
        if let token = token.withLock({ $0 }), wallClock() < token.renewAt { return .success(token) }
        return await renewal.value(for: true) { [self] in
            let result = await newToken()
            if case .success(let found) = result { token.withLock { $0 = found } }
            return result
        }
    }

    private func newToken() async -> Result<AccessToken, PushVerdict> {
        guard let request = try? account.tokenRequest(at: wallClock()) else {
            return .failure(.invalidRequest("no token could be signed"))
        }
        do throws(OutboundFault) {
            let response = try await tokenClient.send(request)
            let now = wallClock()
            return Result { () throws(PushVerdict) in try AccessToken(response, at: now) }
        } catch {
            return .failure(PushVerdict(error))
        }
    }
}

extension PushVerdict {
    /// What an answer of FCM means, however incomplete: errors may be HTML, or lack their details.
    ///
    /// Source: Google, "FCM error codes".
    package static func fcm(status: Int, retryAfter: String? = nil, body: [UInt8]) -> PushVerdict {
        let json = try? JSONValue(parsing: body)
        guard status != 200 else { return .accepted(id: json?["name"]?.string) }
        let details = json?["error"]?["details"]?.array ?? []
        // FCM's own code of an error: the general status is less exact.
        let code = details.lazy.compactMap { $0["errorCode"]?.string }.first
        let wrongFields = details.flatMap { $0["fieldViolations"]?.array ?? [] }.compactMap { $0["field"]?.string }
        // The limit of the whole project, not that of a device: the gateway before FCM says so.
        let isOfProject = details.contains { $0["reason"]?.string == "RATE_LIMIT_EXCEEDED" }
        let retryAfter = RetryAfter.seconds(retryAfter)
        let reason = code ?? "status \(status)"
        switch (status, code) {
        case (404, "UNREGISTERED"): return .gone(since: nil)
        case (400, _): return wrongFields.contains("message.token") ? .gone(since: nil) : .invalidRequest(reason)
        case (403, "SENDER_ID_MISMATCH"): return .foreign(reason)
        case (401, "THIRD_PARTY_AUTH_ERROR"): return .misconfigured(reason)
        case (401, _): return .credentialExpired
        case (403, _): return .credentialRefused(reason, mayBeTheConnection: false)
        case (404, _): return .misconfigured(reason)
        case (413, _): return .tooLarge
        case (429, _) where isOfProject: return .quotaExceeded(retryAfter: retryAfter ?? 60)
        case (429, _): return .deviceBusy(retryAfter: retryAfter ?? 60)
        case (500..., _): return .unavailable(reason, retryAfter: retryAfter)
        default: return .invalidRequest(reason)
        }
    }

    fileprivate static func fcm(_ response: HTTPResponse) -> PushVerdict {
        fcm(status: response.status, retryAfter: response.headers.first(named: "retry-after"), body: response.body)
    }
}

/// A message as FCM takes it (HTTP v1).
///
/// Source: Google, `projects.messages` of the FCM REST reference; breez/notify, `notify/services/fcm.go`.
package struct FCMPush: Hashable, Sendable {
    package let body: [UInt8]

    /// A message: data, all of it texts, and perhaps what is shown without the app.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - token: the device's token at FCM.
    ///   - platform: iOS devices get the part that FCM passes on to APNs too.
    ///   - now: from when the message's lifetime counts.
    package init(_ message: PushMessage, token: String, platform: PushPlatform, at now: UnixTime) {
        var inner: JSONObject = ["token": .string(token), "data": .object(message.form.data)]
        var android: JSONObject = [
            "priority": message.form.isUrgent && message.priority != .catchUp ? "high" : "normal",
            "ttl": .string("\(min(message.expires.seconds(since: now), Self.longestLifetime))s"),
        ]
        // FCM keeps messages of four keys for a device that is off, and drops those of others.
        if message.replacesEarlier, let id = message.collapseID { android.append("collapse_key", .string(id.text)) }
        if let notification = message.form.notification { android.append("notification", .object(notification)) }
        inner.append("android", .object(android))
        if platform == .ios { inner.append("apns", Self.apns(message)) }
        body = JSONValue.object(["message": .object(inner)]).serializedBytes()
    }

    private static func apns(_ message: PushMessage) -> JSONValue {
        var headers: JSONObject = [
            "apns-priority": "10", "apns-push-type": "alert",
            "apns-expiration": .string(String(message.expires.seconds)),
        ]
        if let id = message.collapseID { headers.append("apns-collapse-id", .string(id.text)) }
        return ["headers": .object(headers), "payload": ["aps": message.form.apns["aps"] ?? .null]]
    }

    /// The longest lifetime that FCM takes: four weeks, in seconds.
    static let longestLifetime: UInt64 = 2_419_200

    /// What FCM counts: the bytes of keys and values.
    package static func dataCount(of data: JSONObject) -> Int {
        data.members.reduce(0) { $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 0) }
    }

    /// The request that sends it.
    ///
    /// - Parameters:
    ///   - project: the project of the service account.
    ///   - authorization: an access token.
    ///   - server: where FCM is.
    ///   - timeout: how long FCM may take.
    /// - Throws: when the access token does not fit into a header field.
    package func request(
        project: String, authorization: String, at server: HTTPURL, timeout: Duration
    ) throws(HTTPFieldFault) -> HTTPRequest {
        HTTPRequest(
            .post, server.appendingPath("v1/projects/\(project)/messages:send"),
            headers: [try HTTPField("authorization", "Bearer " + authorization, isSecret: true), .jsonContent],
            body: body,
            timeout: timeout)
    }

    package static let serverText = "https://fcm.googleapis.com"
}
