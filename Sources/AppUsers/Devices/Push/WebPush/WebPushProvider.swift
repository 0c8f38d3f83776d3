package import ResponderModel
package import LightningCoding
import LightningCrypto
package import OutboundHTTP
package import Platform

/// Sends messages to the push services of browsers and UnifiedPush distributors.
package final class WebPushProvider: Sendable {
    private let key: VAPIDKey?
    /// For whoever waits for a device's reply, and for all other messages: endpoints are anybody's, and those that hang hold
    /// up nothing of the other sort.
    private let clients: (replies: HTTPClient, others: HTTPClient)
    private let authorizations = Guarded<[String: (moment: UnixTime, text: String)]>([:])
    private let pauses = PushPauses()
    private let unauthorized = Guarded(UnauthorizedWatch())
    private let wallClock: WallClock
    private let clock: MonotonicClock
    private let report: @Sendable (PushReport) -> Void

    /// How many messages are on their way at once: of those that somebody waits for, and of all others.
    package static let maximumInFlight = 160
    /// How many push services have a token at once.
    private static let maximumOrigins = 1000

    /// Creates a provider; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - key: identifies this server; nil for none, which some push services do not accept.
    ///   - client: how endpoints are reached; its address policy must keep them off internal networks.
    ///   - wallClock: dates the tokens.
    ///   - clock: measures.
    ///   - report: is told of answers.
    /// - Throws: when a client cannot be made.
    package init(
        _ key: VAPIDKey?, client: HTTPClient.Configuration, wallClock: @escaping WallClock = { .now() },
        clock: MonotonicClock = .system,
        report: @escaping @Sendable (PushReport) -> Void = { _ in }
    ) throws(OutboundFault) {
        self.key = key
        var client = client
        client.maximumConcurrency = Self.maximumInFlight
        clients = (try HTTPClient(client), try HTTPClient(client))
        self.wallClock = wallClock
        self.clock = clock
        self.report = report
    }

    /// Sends a message, again as often as it may help.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - subscription: its receiver.
    ///   - registeredAt: when the device was registered; nil when somebody has named the subscription: what that service says of
    ///     our key concerns nobody else.
    package func send(
        _ message: PushMessage, to subscription: PushSubscription, registeredAt: UnixTime? = nil
    ) async -> PushOutcome {
        var attempt = PushAttempt(message.priority)
        return await attempt.outcome(
            at: .webPush, clock, report,
            send: { await verdict(on: message, to: subscription, isRegistered: registeredAt != nil) },
            perform: { _ in })
    }

    /// The public key in base64url, which apps need to subscribe; nil without one.
    package var publicKey: String? { key?.publicText }

    private func verdict(
        on message: PushMessage, to subscription: PushSubscription, isRegistered: Bool
    ) async -> PushVerdict {
        let endpoint = subscription.endpoint.text
        if let pause = pauses.verdict(of: endpoint, at: clock.now()) { return pause }
        let request: HTTPRequest
        do {
            request = try WebPush.request(
                message, to: subscription, authorization: authorization(for: subscription.endpoint), at: wallClock(),
                timeout: ProviderRoute.timeout)
        } catch WebPushFault.encryption(.invalidLength) {
            return .tooLarge
        } catch {
            return .invalidRequest("no request could be made")
        }
        do throws(OutboundFault) {
            let client = message.priority == .reply ? clients.replies : clients.others
            let verdict = WebPush.verdict(try await client.send(request))
            pauses.note(verdict, of: endpoint, at: clock.now())
            if isRegistered, case .accepted = verdict {
                unauthorized.withLock { $0.noteAcceptance(at: clock.now()) }
            }
            guard case .unauthorized(let reason) = verdict else { return verdict }
            guard isRegistered else { return .refused(reason) }
            if unauthorized.withLock({ $0.count(subscription.endpoint.host, at: clock.now()) }) {
                report(.alarm(.webPush, .credential("401 or 403 of several push services")))
            }
            return verdict
        } catch .refusedAddress {
            return .refused(OutboundFault.refusedAddress.reason)
        } catch .tls(let fault) {
            // Whose it is, the receiver has chosen.
            return .unavailable(fault.reason, retryAfter: nil)
        } catch {
            return PushVerdict(error)
        }
    }

    private func authorization(for endpoint: HTTPURL) throws(CryptoFault) -> String? {
        guard let key else { return nil }
        let moment = VAPIDKey.moment(at: wallClock())
        return try authorizations.withLock { authorizations throws(CryptoFault) in
            if let known = authorizations[endpoint.origin], known.moment == moment { return known.text }
            if authorizations.count >= Self.maximumOrigins { authorizations.removeAll() }
            let text = try key.authorization(for: endpoint, issuedAt: moment)
            authorizations[endpoint.origin] = (moment, text)
            return text
        }
    }
}

/// Whether push services refuse our key, or only some of them, which devices may have named themselves. A pure state machine.
struct UnauthorizedWatch: Sendable {
    /// So many hosts within a period, while none accepts it, are a fault of ours: browsers share a few.
    static let tolerated = 3
    static let period = Duration.seconds(600)

    private var start: MonotonicTime?
    private var refused: Set<ExactText> = []
    private var isAlarmed = false
    private var lastAcceptance: MonotonicTime?

    mutating func noteAcceptance(at now: MonotonicTime) { lastAcceptance = now }

    /// Counts a refusal of a host. True when the operator is to be told now: once in a period.
    mutating func count(_ host: String, at now: MonotonicTime) -> Bool {
        if start.map({ now - $0 >= Self.period }) ?? true {
            start = now
            refused = []
            isAlarmed = false
        }
        if refused.count < Self.tolerated { refused.insert(ExactText(host)) }
        guard refused.count == Self.tolerated, !isAlarmed,
            !(lastAcceptance.map { now - $0 < PushAlarm.quietAfterAcceptance } ?? false)
        else { return false }
        isAlarmed = true
        return true
    }
}
