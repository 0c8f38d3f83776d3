package import LightningCoding
package import OutboundHTTP
package import Platform
package import ResponderModel

package final class APNsProvider: Sendable {
    private struct Server: Sendable {
        let url: HTTPURL
        let route: ProviderRoute
        /// Whoever posts a token of their own must not decide what becomes of registered devices.
        let registered = Guarded(BadTokenWatch())
        let others = Guarded(BadTokenWatch())
    }

    private let topic: String
    private let servers: [PushEnvironment: Server]
    private let tokens: APNsTokens
    /// By any server: they know the same app.
    private let lastAcceptance = Guarded(LastAcceptance())
    private let clock: MonotonicClock
    private let report: @Sendable (PushReport) -> Void

    /// Creates a provider; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - key: signs the tokens.
    ///   - topic: the bundle id of the app.
    ///   - servers: where APNs is, by environment.
    ///   - client: how they are reached.
    ///   - ledger: has the key's token.
    ///   - wallClock: dates the tokens.
    ///   - clock: measures.
    ///   - report: is told of answers and alarms.
    package init(
        key: APNsKey, topic: String, servers: [PushEnvironment: HTTPURL], client: HTTPClient.Configuration,
        tokensIn ledger: any ProviderTokenLedger, wallClock: @escaping WallClock = { .now() },
        clock: MonotonicClock = .system,
        report: @escaping @Sendable (PushReport) -> Void = { _ in }
    ) {
        self.topic = topic
        tokens = APNsTokens(key, in: ledger, clock: wallClock)
        self.clock = clock
        self.report = report
        self.servers = servers.mapValues { Server(url: $0, route: ProviderRoute(client, clock: clock)) }
    }

    /// Sends a message, again as often as it may help.
    ///
    /// - Parameters:
    ///   - message: what fits.
    ///   - device: the device's token.
    ///   - environment: the server that the token is of; nil when nobody knows: then production is tried first.
    ///   - registeredAt: when the device was registered; nil when nobody knows.
    package func send(
        _ message: PushMessage, to device: APNsToken, _ environment: PushEnvironment?, registeredAt: UnixTime? = nil
    ) async -> PushOutcome {
        let priority = message.priority
        let isKnown = environment != nil || servers.count < 2
        var environment = environment ?? .production
        if servers[environment] == nil, isKnown, servers.count == 1 { environment = environment.other }
        var attempt = PushAttempt(priority, registeredAt: registeredAt, isEnvironmentKnown: isKnown)
        var current = environment
        return await attempt.outcome(
            at: .apns, clock, report, send: { await verdict(on: message, to: device, current) },
            dropsBadTokens: { dropsBadTokens($0, current, isRegistered: registeredAt != nil) },
            perform: { step in
                if step == .sendToOtherEnvironment { current = current.other } else { perform(step, current, priority) }
            })
    }

    private func verdict(
        on message: PushMessage, to device: APNsToken, _ environment: PushEnvironment
    ) async -> PushVerdict {
        guard let server = servers[environment] else { return .refused("no server for the \(environment) environment") }
        let verdict = await server.route.send(
            message, to: device.text,
            request: { () async throws(PushVerdict) in
                guard let token = await tokens.text(),
                    let request = try? message.apnsRequest(
                        to: device, topic: topic, authorization: token, at: server.url, timeout: ProviderRoute.timeout)
                else { throw .invalidRequest("no request could be made") }
                return request
            }, meaning: PushVerdict.apns)
        return lastAcceptance.withLock { $0.noted(verdict, at: clock.now()) }
    }

    private func dropsBadTokens(
        _ verdict: PushVerdict, _ environment: PushEnvironment, isRegistered: Bool
    ) -> Bool {
        guard let server = servers[environment] else { return true }
        let (isAlarm, drops) = (isRegistered ? server.registered : server.others).withLock { watch in
            (watch.count(verdict, at: clock.now()), watch.drops)
        }
        if isAlarm { report(.alarm(.apns, .manyBadTokens)) }
        return drops
    }

    private func perform(_ step: PushStep, _ environment: PushEnvironment, _ priority: PushPriority) {
        switch step {
        case .renewCredential: tokens.noteExpired()
        case .keepCredential: tokens.noteTooMany()
        default: servers[environment]?.route.perform(step, priority)
        }
    }
}

extension PushMessage {
    /// The request that sends it to APNs.
    ///
    /// Source: Apple, "Sending notification requests to APNs".
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - topic: the bundle id of the app.
    ///   - authorization: the token of the app's key.
    ///   - server: where APNs is.
    ///   - timeout: how long APNs may take.
    /// - Throws: when the topic or the token does not fit into a header field.
    package func apnsRequest(
        to device: APNsToken, topic: String, authorization: String, at server: HTTPURL, timeout: Duration
    ) throws(HTTPFieldFault) -> HTTPRequest {
        var fields = [
            try HTTPField("authorization", "bearer " + authorization, isSecret: true),
            try HTTPField("apns-topic", topic),
            try HTTPField("apns-push-type", form.kind.rawValue),
            try HTTPField("apns-priority", form.kind.priority),
            try HTTPField("apns-expiration", String(expires.seconds)),
            .jsonContent,
        ]
        if let collapseID { fields.append(try HTTPField("apns-collapse-id", collapseID.text)) }
        return HTTPRequest(
            .post, server.appendingPath("3/device/" + device.text), headers: fields, body: form.apnsBody,
            timeout: timeout)
    }
}

extension PushVerdict {
    /// What an answer of APNs means; whatever in it is not as documented is left out.
    ///
    /// Source: Apple, "Handling notification responses from APNs".
    package static func apns(status: Int, id: String? = nil, body: [UInt8]) -> PushVerdict {
        guard status != 200 else { return .accepted(id: id) }
        let json = try? JSONValue(parsing: body)
        let reason = json?["reason"]?.string ?? "status \(status)"
        switch (status, reason) {
        case (400, "BadDeviceToken"): return .badToken
        case (400, otherApp), (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"):
            return .misconfigured(reason)
        case (400, "IdleTimeout"): return .connectionEnded
        case (403, "ExpiredProviderToken"): return .credentialExpired
        case (403, "UnrelatedKeyIdInToken"): return .credentialRefused(reason, mayBeTheConnection: true)
        case (403, _): return .credentialRefused(reason, mayBeTheConnection: false)
        case (410, _): return .gone(since: json?["timestamp"]?.uint64)
        case (413, _): return .tooLarge
        case (429, "TooManyProviderTokenUpdates"): return .credentialTooNew
        case (429, _): return .deviceBusy(retryAfter: nil)
        case (500..., _): return .outage(reason)
        default: return .invalidRequest(reason)
        }
    }

    /// The token was made for another app: ours are, or somebody has posted this one.
    static let otherApp = "DeviceTokenNotForTopic"

    fileprivate static func apns(_ response: HTTPResponse) -> PushVerdict {
        apns(status: response.status, id: response.headers.first(named: "apns-id"), body: response.body)
    }
}

extension PushEnvironment {
    fileprivate var other: PushEnvironment { self == .production ? .sandbox : .production }

    /// The server of APNs.
    package var serverText: String {
        switch self {
        case .production: "https://api.push.apple.com"
        case .sandbox: "https://api.sandbox.push.apple.com"
        }
    }
}

/// The token of a key, which all instances and programs on one ledger share: APNs refuses tokens older than an hour, and
/// keys with more than one new token in 20 minutes, however many connections use them.
final class APNsTokens: Sendable {
    /// How long a token is used, in seconds.
    static let period: UInt64 = 2400
    /// The fewest seconds from one token to the next.
    static let minimumPeriod: UInt64 = 1200
    /// How long a token can be used, in seconds: a minute less than APNs takes it.
    static let validity: UInt64 = 3540
    /// How many seconds in the past tokens are issued, so that a clock which is a little ahead does no harm.
    static let lead: UInt64 = 60

    private struct State: Sendable {
        var current: ProviderToken?
        var previous: ProviderToken?
        /// One that is no longer used, and the one that replaces it, unless that is to be made.
        var refused: ProviderToken?
        var kept: ProviderToken?
    }

    private let key: APNsKey
    private let ledger: any ProviderTokenLedger
    private let clock: WallClock
    private let state = Guarded(State())
    private let renewal = SingleFlight<Bool, String?>()

    init(_ key: APNsKey, in ledger: any ProviderTokenLedger, clock: @escaping WallClock) {
        self.key = key
        self.ledger = ledger
        self.clock = clock
    }

    /// The token to use now; nil when none can be made.
    func text() async -> String? {
        let now = clock()
        if let token = state.withLock({ $0.current }), token.isUsable(at: now) { return token.text }
        return await renewal.value(for: true) { [self] in await renew()?.text }
    }

    /// APNs has refused the token as expired: another one is issued, unless this one is too young to be replaced; then the
    /// clock is wrong, here or there.
    func noteExpired() {
        let now = clock()
        state.withLock { state in
            guard let current = state.current, now >= current.issuedAt.adding(seconds: Self.minimumPeriod) else {
                return
            }
            (state.refused, state.kept, state.current) = (current, nil, nil)
        }
    }

    /// APNs calls the token one too many: the one before is used as long as it is valid, so that there is no third.
    func noteTooMany() {
        let now = clock()
        state.withLock { state in
            guard let current = state.current else { return }
            let end = state.previous?.issuedAt.adding(seconds: Self.validity)
            if let previous = state.previous, let end, now < end {
                state.refused = current
                state.kept = ProviderToken(text: previous.text, issuedAt: previous.issuedAt, renewAt: end)
            }
            // Another instance may have gone back.
            (state.current, state.previous) = (nil, nil)
        }
    }

    private func renew() async -> ProviderToken? {
        let (now, begin) = (clock(), state.withLock { $0 })
        do throws(LedgerFault) {
            let stored = try await ledger.providerToken(of: key.name)
            if let stored, stored.isUsable(at: now), stored.text != begin.refused?.text { return take(stored) }
            guard let next = begin.kept ?? new(at: now) else { return nil }
            return take(try await ledger.keep(next, of: key.name, replacing: stored))
        } catch {
            // A message is worth more than a token too many.
            if let token = begin.kept ?? begin.current, now < token.issuedAt.adding(seconds: Self.validity) {
                return token
            }
            return new(at: now).map(take)
        }
    }

    private func take(_ token: ProviderToken) -> ProviderToken {
        state.withLock { state in
            if let current = state.current, current.text != token.text { state.previous = current }
            (state.current, state.refused, state.kept) = (token, nil, nil)
        }
        return token
    }

    private func new(at now: UnixTime) -> ProviderToken? {
        let moment = UnixTime(now.seconds - min(Self.lead, now.seconds))
        guard let text = try? key.token(issuedAt: moment) else { return nil }
        return ProviderToken(text: text, issuedAt: moment, renewAt: moment.adding(seconds: Self.period))
    }
}

extension ProviderToken {
    /// A token from the future is that of a clock that was set back since.
    fileprivate func isUsable(at now: UnixTime) -> Bool {
        now < renewAt && issuedAt <= now.adding(seconds: APNsTokens.lead)
    }
}
