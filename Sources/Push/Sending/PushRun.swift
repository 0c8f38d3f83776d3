import LightningCoding
import Platform

/// Carries out what a ``PushAttempt`` decides for one message.
struct PushRun {
    let provider: PushProviderName
    let priority: PushPriority
    let clock: MonotonicClock
    let report: @Sendable (PushReport) -> Void

    /// Sends the message until it has ended.
    ///
    /// - Parameters:
    ///   - send: sends it once.
    ///   - dropsBadTokens: counts an answer, and tells whether unknown tokens are dropped.
    ///   - perform: carries out every step but sending again, alarms and the end.
    func outcome(
        _ attempt: PushAttempt, send: () async -> PushVerdict, dropsBadTokens: (PushVerdict) -> Bool = { _ in true },
        perform: (PushStep) -> Void
    ) async -> PushOutcome {
        var attempt = attempt
        while true {
            let start = clock.now()
            let verdict = await send()
            report(.answered(provider, priority, verdict, clock.now() - start))
            for step in attempt.on(verdict, dropsBadTokens: dropsBadTokens(verdict)) {
                switch step {
                case .end(let outcome):
                    report(.ended(provider, priority, outcome))
                    return outcome
                case .alarm(let alarm): report(.alarm(provider, alarm))
                case .sendAgain: break
                case .sendToOtherEnvironment, .reconnect, .renewCredential, .pauseCredential: perform(step)
                }
            }
        }
    }
}

/// A credential that the provider has refused is not used for a while.
struct CredentialPause: Sendable {
    private let until = Guarded<MonotonicTime?>(nil)
    static let length = Duration.seconds(60)

    func begin(at now: MonotonicTime) {
        until.withLock { $0 = now + Self.length }
    }

    /// The verdict for messages during the pause.
    func verdict(at now: MonotonicTime) -> PushVerdict? {
        guard let until = until.withLock({ $0 }), now < until else { return nil }
        return .unavailable("the provider has refused the key", retryAfter: UInt64(Self.length.components.seconds))
    }
}
