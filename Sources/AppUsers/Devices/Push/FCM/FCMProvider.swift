package import ResponderModel
package import LightningCoding
package import OutboundHTTP
package import Platform

package final class FCMProvider: Sendable {
    private let account: ServiceAccount
    private let server: HTTPURL
    private let lanes: ProviderLanes
    private let tokenClient: HTTPClient
    private let token = Guarded<AccessToken?>(nil)
    private let renewal = SingleFlight<Bool, Result<AccessToken, PushVerdict>>()
    private let pauses = PushPauses()
    private let lastAcceptance = Guarded<MonotonicTime?>(nil)
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
        lanes = ProviderLanes(client, clock: clock)
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
                switch step {
                case .reconnect: lanes[priority].reconnect()
                case .renewCredential: self.token.withLock { $0 = nil }
                case .pauseCredential: pauses.beginAfterRefusal(at: clock.now())
                case .pauseProvider(let seconds): pauses.begin(seconds: seconds, at: clock.now())
                case .sendToOtherEnvironment, .keepCredential, .sendAgain, .alarm, .end: break
                }
            })
    }

    private func verdict(on message: PushMessage, to token: String, _ platform: PushPlatform) async -> PushVerdict {
        if let pause = pauses.verdict(of: token, at: clock.now()) { return pause }
        let access: AccessToken
        switch await accessToken() {
        case .success(let found): access = found
        case .failure(let refusal): return refusal
        }
        let push = FCMPush(message, token: token, platform: platform, at: wallClock())
        guard
            let request = try? push.request(
                project: account.project, authorization: access.text, at: server,
                timeout: ProviderLanes.timeout)
        else { return .invalidRequest("no request could be made") }
        let key = message.collapseID.map { "\(token) \($0)" }
        do throws(OutboundFault) {
            let response = try await lanes[message.priority].send(request, message.priority, key: key) {
                PushVerdict.fcm($0).refusesCredential
            }
            let verdict = PushVerdict.fcm(response)
            pauses.note(verdict, of: token, at: clock.now())
            return noted(verdict)
        } catch {
            return PushVerdict(error)
        }
    }

    /// A token of another project is an alarm only while the project accepts none: anybody can post one.
    private func noted(_ verdict: PushVerdict) -> PushVerdict {
        let now = clock.now()
        return lastAcceptance.withLock { last in
            switch verdict {
            case .accepted: last = now
            case .foreign(let reason):
                if let last, now - last < PushAlarm.quietAfterAcceptance { return .refused(reason) }
            default: break
            }
            return verdict
        }
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
