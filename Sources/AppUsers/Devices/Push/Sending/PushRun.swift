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
                case .sendToOtherEnvironment, .reconnect, .renewCredential, .keepCredential, .pauseCredential,
                    .pauseProvider:
                    perform(step)
                }
            }
        }
    }
}

/// A credential that the provider has refused, or a provider that takes no more messages, is not used for a while.
struct ProviderPause: Sendable {
    private let until = Guarded<(end: MonotonicTime, reason: String)?>(nil)

    /// Begins a pause after a refusal of the credential.
    func beginAfterRefusal(at now: MonotonicTime) {
        begin(PushAttempt.pause, "the provider has refused the key", at: now)
    }

    /// Begins a pause that the provider asks for.
    func begin(seconds: UInt64, at now: MonotonicTime) {
        begin(seconds, PushAttempt.quotaReason, at: now)
    }

    private func begin(_ seconds: UInt64, _ reason: String, at now: MonotonicTime) {
        until.withLock { $0 = (now + .seconds(Int64(clamping: seconds)), reason) }
    }

    func verdict(at now: MonotonicTime) -> PushVerdict? {
        until.withLock { until in
            until.flatMap { now < $0.end ? .paused($0.reason, seconds: ($0.end - now).secondsRoundedUp) : nil }
        }
    }
}
