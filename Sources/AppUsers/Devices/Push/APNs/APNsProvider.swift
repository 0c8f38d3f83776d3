package import LightningCoding
package import OutboundHTTP
package import Platform
package import ResponderModel

package final class APNsProvider: Sendable {
    package struct Settings: Sendable {
        package var key: APNsKey
        package var topic: String
        package var servers: [PushEnvironment: HTTPURL]
        package var client: HTTPClient.Configuration

        package init(key: APNsKey, topic: String, servers: [PushEnvironment: HTTPURL], client: HTTPClient.Configuration)
        {
            self.key = key
            self.topic = topic
            self.servers = servers
            self.client = client
        }
    }

    private struct Server: Sendable {
        let url: HTTPURL
        let lanes: ProviderLanes
        /// Whoever posts a token of their own must not decide what becomes of registered devices.
        let registered = Guarded(BadTokenWatch())
        let others = Guarded(BadTokenWatch())
        let pauses = PushPauses()
    }

    private let settings: Settings
    private let servers: [PushEnvironment: Server]
    private let tokens: APNsTokens
    private let clock: MonotonicClock
    private let report: @Sendable (PushReport) -> Void

    /// Creates a provider; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - settings: key, topic and servers.
    ///   - ledger: has the key's token.
    ///   - wallClock: dates the tokens.
    ///   - clock: measures.
    ///   - report: is told of answers and alarms.
    package init(
        _ settings: Settings, tokensIn ledger: any ProviderTokenLedger, wallClock: @escaping WallClock = { .now() },
        clock: MonotonicClock = .system,
        report: @escaping @Sendable (PushReport) -> Void = { _ in }
    ) {
        self.settings = settings
        tokens = APNsTokens(settings.key, in: ledger, clock: wallClock)
        self.clock = clock
        self.report = report
        servers = settings.servers.mapValues { Server(url: $0, lanes: ProviderLanes(settings.client, clock: clock)) }
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
        if let pause = server.pauses.verdict(of: device.text, at: clock.now()) { return pause }
        guard let token = await tokens.text(),
            let request = try? message.apnsRequest(
                to: device, topic: settings.topic, authorization: token, at: server.url,
                timeout: ProviderLanes.timeout)
        else { return .invalidRequest("no request could be made") }
        let key = message.collapseID.map { "\(device) \($0)" }
        do throws(OutboundFault) {
            let response = try await server.lanes[message.priority].send(request, message.priority, key: key) {
                APNsAnswer($0).verdict.refusesCredential
            }
            let verdict = APNsAnswer(response).verdict
            server.pauses.note(verdict, of: device.text, at: clock.now())
            return verdict
        } catch {
            return PushVerdict(error)
        }
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
        guard let server = servers[environment] else { return }
        switch step {
        case .reconnect: server.lanes[priority].reconnect()
        case .renewCredential: tokens.noteExpired()
        case .keepCredential: tokens.noteTooMany()
        case .pauseCredential: server.pauses.beginAfterRefusal(at: clock.now())
        case .pauseProvider(let seconds): server.pauses.begin(seconds: seconds, at: clock.now())
        case .sendToOtherEnvironment, .sendAgain, .alarm, .end: break
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
