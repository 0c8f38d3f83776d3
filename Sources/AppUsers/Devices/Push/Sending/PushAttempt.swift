package import LightningCoding
import Platform

/// What becomes of one message, answer by answer: a pure state machine.
///
/// It repeats at once what another environment, credential or connection can mend, once each; everything else waits for the
/// next attempt of the outbox, or fails when somebody waits for the device.
package struct PushAttempt: Hashable, Sendable {
    private let priority: PushPriority
    /// When the device was registered; nil when nobody knows.
    private let registeredAt: UnixTime?
    private var mayTryOtherEnvironment: Bool
    private var mayRenewCredential = true
    private var mayKeepCredential = true
    private var mayReconnect = true

    /// A message before its first answer.
    ///
    /// - Parameters:
    ///   - priority: who waits for it.
    ///   - registeredAt: when the device was registered; nil when nobody knows.
    ///   - isEnvironmentKnown: whether the device belongs to one server of the provider.
    package init(_ priority: PushPriority, registeredAt: UnixTime? = nil, isEnvironmentKnown: Bool = true) {
        self.priority = priority
        self.registeredAt = registeredAt
        mayTryOtherEnvironment = !isEnvironmentKnown
    }

    /// Takes an answer; the last step sends the message again or ends it.
    ///
    /// - Parameter dropsBadTokens: whether unknown tokens are dropped: not while there are too many of them.
    package mutating func on(_ verdict: PushVerdict, dropsBadTokens: Bool = true) -> [PushStep] {
        switch verdict {
        case .accepted(let id): return [.end(.accepted(id: id))]
        case .badToken: return badToken(dropsBadTokens)
        case .gone(let since): return gone(since)
        case .misconfigured(let reason): return [.alarm(.misconfigured(reason)), .end(.parked(reason))]
        case .foreign(let reason): return [.alarm(.misconfigured(reason)), .end(.refused(reason))]
        case .invalidRequest(let reason): return [.alarm(.defect(reason)), .end(.refused(reason))]
        case .refused(let reason): return [.end(.refused(reason))]
        case .unauthorized(let reason): return [.end(.later(seconds: Self.pause, reason))]
        case .tooLarge: return [.end(.tooLarge)]
        case .credentialExpired: return expired()
        case .credentialRefused(let reason, let mayBeTheConnection):
            if mayBeTheConnection, let steps = onOtherConnection() { return steps }
            return [.alarm(.credential(reason)), .pauseCredential, .end(.later(seconds: Self.pause, reason))]
        case .credentialTooNew: return tooNew()
        case .deviceBusy(let seconds):
            return [.end(.later(seconds: seconds ?? Self.pause, Self.busyReason))]
        case .quotaExceeded(let seconds):
            return [.pauseProvider(seconds: seconds), .end(.later(seconds: seconds, Self.quotaReason))]
        case .paused(let reason, let seconds): return [.end(.paused(seconds: seconds, reason))]
        case .withdrawn(let reason): return [.end(.later(seconds: Self.outage, reason))]
        case .unanswered(let reason): return [.reconnect, .end(.later(seconds: Self.outage, reason))]
        case .untrusted(let reason):
            return [.alarm(.untrusted(reason)), .reconnect, .end(.later(seconds: Self.pause, reason))]
        case .unavailable(let reason, let seconds): return unavailable(reason, seconds)
        case .outage(let reason): return onOtherConnection() ?? [.end(.later(seconds: Self.longOutage, reason))]
        case .connectionEnded:
            return onOtherConnection() ?? [.end(.later(seconds: Self.pause, "the connection ended twice"))]
        }
    }

    /// Sends the message until it has ended.
    ///
    /// - Parameters:
    ///   - provider: who is sent it.
    ///   - send: sends it once.
    ///   - dropsBadTokens: counts an answer, and tells whether unknown tokens are dropped.
    ///   - perform: carries out every step but sending again, alarms and the end.
    mutating func outcome(
        at provider: PushProviderName, _ clock: MonotonicClock, _ report: (PushReport) -> Void,
        send: () async -> PushVerdict, dropsBadTokens: (PushVerdict) -> Bool = { _ in true },
        perform: (PushStep) -> Void
    ) async -> PushOutcome {
        while true {
            let start = clock.now()
            let verdict = await send()
            report(.answered(provider, priority, verdict, clock.now() - start))
            for step in on(verdict, dropsBadTokens: dropsBadTokens(verdict)) {
                switch step {
                case .end(let outcome):
                    report(.ended(provider, priority, outcome))
                    return outcome
                case .alarm(let alarm): report(.alarm(provider, alarm))
                case .sendAgain: break
                case .sendToOtherEnvironment, .reconnect, .renewCredential, .keepCredential, .pauseCredential,
                    .pauseProvider:
                    perform(step)
                }
            }
        }
    }

    private mutating func badToken(_ dropsBadTokens: Bool) -> [PushStep] {
        if mayTryOtherEnvironment {
            mayTryOtherEnvironment = false
            return [.sendToOtherEnvironment]
        }
        guard dropsBadTokens else { return [.end(.refused("the provider does not know the device's token"))] }
        return [.end(.gone)]
    }

    /// A token that was registered after it became invalid is a new installation's.
    private func gone(_ since: UInt64?) -> [PushStep] {
        if let since, let registeredAt, registeredAt.seconds >= since / 1000 {
            return [.end(.refused("the token was invalid before the device registered it again"))]
        }
        return [.end(.gone)]
    }

    private mutating func expired() -> [PushStep] {
        guard mayRenewCredential else {
            let reason = "the provider says that a new token has expired; check the clock"
            return [.alarm(.credential(reason)), .end(.later(seconds: Self.pause, reason))]
        }
        mayRenewCredential = false
        return [.renewCredential, .sendAgain]
    }

    /// The token before is still good, unless there is none.
    private mutating func tooNew() -> [PushStep] {
        let alarm = PushStep.alarm(.credential(Self.tooNewReason))
        guard mayKeepCredential else { return [.end(.later(seconds: Self.pause, Self.tooNewReason))] }
        mayKeepCredential = false
        return [alarm, .keepCredential, .reconnect, .sendAgain]
    }

    private mutating func unavailable(_ reason: String, _ seconds: UInt64?) -> [PushStep] {
        // Whoever waits for the device gets one retry, unless the provider asks for more patience than there is.
        if priority == .reply, seconds ?? 0 <= Self.patience, let steps = onOtherConnection() { return steps }
        return [
            seconds.map { .pauseProvider(seconds: $0) } ?? .reconnect,
            .end(.later(seconds: max(seconds ?? 0, Self.outage), reason)),
        ]
    }

    private mutating func onOtherConnection() -> [PushStep]? {
        guard mayReconnect else { return nil }
        mayReconnect = false
        return [.reconnect, .sendAgain]
    }

    static let quotaReason = "the provider limits the rate of this project"
    static let busyReason = "too many messages for this device"
    static let tooNewReason = "tokens of this key are renewed too often; another program uses it too"
    /// How many seconds a provider may ask for without being taken at its word by whoever waits for a device.
    static let patience: UInt64 = 1
    /// The pause after a refusal that a later attempt may not meet, in seconds.
    static let pause: UInt64 = 60
    /// The shortest pause after a provider failed, in seconds; the outbox lengthens it.
    static let outage: UInt64 = 10
    /// The same where the provider's documentation names one: a quarter of an hour.
    static let longOutage: UInt64 = 900
}

/// What to do after an answer.
package enum PushStep: Hashable, Sendable {
    case sendToOtherEnvironment
    /// Send it once more.
    case sendAgain
    case reconnect
    case renewCredential
    /// Use the credential before the present one as long as it is valid.
    case keepCredential
    case pauseCredential
    /// Send nothing to the provider for so many seconds.
    case pauseProvider(seconds: UInt64)
    case alarm(PushAlarm)
    case end(PushOutcome)
}

/// What only the operator can correct.
package enum PushAlarm: Hashable, Sendable, ReadableFault {
    /// Token, topic and credential do not belong together.
    case misconfigured(String)
    /// The provider refuses the credential.
    case credential(String)
    /// The provider refuses our requests.
    case defect(String)
    /// The provider's certificate is not trusted.
    case untrusted(String)
    /// More than one token in twenty is unknown: this is probably the wrong server.
    case manyBadTokens

    /// For how long after an acceptance nothing that strangers can cause is an alarm: they can make up tokens, and receivers
    /// that refuse, and register them. A wrong key or server accepts nothing.
    static let quietAfterAcceptance = Duration.seconds(3600)

    package var reason: String {
        switch self {
        case .misconfigured(let reason): "the push provider refuses this app's devices (\(reason)); check topic and key"
        case .credential(let reason): "the push provider refuses the key (\(reason))"
        case .defect(let reason): "the push provider refuses a request of this program (\(reason))"
        case .untrusted(let reason): "the push provider's certificate is not trusted (\(reason))"
        case .manyBadTokens:
            "the push provider does not know many of the devices; this is probably the wrong environment. None is dropped"
        }
    }
}

extension PushAlarm: Error {}

package enum PushOutcome: Hashable, Sendable {
    /// The provider has taken it, with its id for it.
    case accepted(id: String?)
    /// The device no longer exists: its token is dropped.
    case gone
    /// It cannot be sent with this configuration; when the operator has corrected that, it can.
    case parked(String)
    /// It is not sent, and nothing is retried; the token is kept.
    case refused(String)
    /// It does not fit.
    case tooLarge
    /// It may be sent after so many seconds.
    case later(seconds: UInt64, String)
    /// It was not sent, since the provider has asked for a pause that lasts for so many seconds.
    case paused(seconds: UInt64, String)
}

package enum PushVerdict: Error, Hashable, Sendable {
    /// The provider has taken it, which is not delivery.
    case accepted(id: String?)
    /// The provider does not know the device's token: it may be of another environment, or the server may be the wrong one.
    case badToken
    /// The token is no longer valid, since a moment in milliseconds since 1970, if the provider tells it.
    case gone(since: UInt64?)
    /// Token, topic and credential do not belong together: the operator must correct something, and the token is kept.
    case misconfigured(String)
    /// The token belongs to another project of the provider: it is kept and not used.
    case foreign(String)
    /// The provider does not take requests like ours: a defect of this program.
    case invalidRequest(String)
    /// The receiver's push service does not take this message; nothing follows for others.
    case refused(String)
    /// The receiver's push service does not accept our credential: perhaps only with this receiver.
    case unauthorized(String)
    case tooLarge
    case credentialExpired
    /// The credential is wrong; perhaps only on this connection.
    case credentialRefused(String, mayBeTheConnection: Bool)
    /// Credentials are renewed too often: the present one is to be used on another connection.
    case credentialTooNew
    /// Too many messages for this device; seconds to wait, if the provider tells them.
    case deviceBusy(retryAfter: UInt64?)
    /// Too many messages for all devices; seconds to wait.
    case quotaExceeded(retryAfter: UInt64)
    /// The provider fails; seconds to wait, if it tells them.
    case unavailable(String, retryAfter: UInt64?)
    /// The provider has not answered in time; it may have taken the message.
    case unanswered(String)
    /// Whoever answers at the provider's address is not trusted: its certificate is not.
    case untrusted(String)
    /// It was not sent: the provider is sent nothing for so many seconds.
    case paused(String, seconds: UInt64)
    /// Whoever sent it has hung up, or too many requests are waiting: nothing is known of the provider or the connection.
    case withdrawn(String)
    /// The provider fails, and its documentation asks for a quarter of an hour before the next attempt.
    case outage(String)
    /// The connection has ended; the message can be sent again.
    case connectionEnded

    /// Whether the provider has refused the credential, and so nothing is known of the connection.
    var refusesCredential: Bool {
        switch self {
        case .credentialExpired, .credentialRefused: true
        default: false
        }
    }
}

/// The field `Retry-After` (RFC 9110, section 10.2.3) as a number of seconds; a date is ignored.
enum RetryAfter {
    /// The longest pause that is obeyed: a day, in seconds.
    static let maximum: UInt64 = 86_400

    static func seconds(_ text: String?) -> UInt64? {
        text.flatMap { text in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text).map { min($0, maximum) } : nil
        }
    }
}
