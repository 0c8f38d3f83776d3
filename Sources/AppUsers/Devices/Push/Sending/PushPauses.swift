import LightningCrypto
package import Platform

/// What is not sent for a while: nothing with a credential that the provider has refused, or to a provider that takes no more
/// messages; nothing to a device to which its provider wants no more.
struct PushPauses: Sendable {
    private typealias Pause = (end: MonotonicTime, reason: String)

    private struct State {
        var all: Pause?
        var devices: [[UInt8]: Pause] = [:]
    }

    private let state = Guarded(State())

    /// How many devices are remembered; of more the provider is asked again.
    static let maximum = 10_000

    /// Begins a pause after a refusal of the credential.
    func beginAfterRefusal(at now: MonotonicTime) {
        begin(PushAttempt.pause, "the provider has refused the key", at: now)
    }

    /// Begins a pause that the provider asks for.
    func begin(seconds: UInt64, at now: MonotonicTime) {
        begin(seconds, PushAttempt.quotaReason, at: now)
    }

    private func begin(_ seconds: UInt64, _ reason: String, at now: MonotonicTime) {
        state.withLock { $0.all = (now + .seconds(Int64(clamping: seconds)), reason) }
    }

    /// Begins a pause of a device, if the provider's answer asks for one.
    func note(_ verdict: PushVerdict, of device: String, at now: MonotonicTime) {
        let (seconds, reason): (UInt64, String)
        switch verdict {
        case .deviceBusy(let told): (seconds, reason) = (told ?? PushAttempt.pause, PushAttempt.busyReason)
        case .unavailable(let why, .some(let told)) where told > PushAttempt.patience: (seconds, reason) = (told, why)
        default: return
        }
        let key = Self.key(device)
        state.withLock { state in
            if state.devices.count >= Self.maximum { state.devices = state.devices.filter { now < $0.value.end } }
            guard state.devices.count < Self.maximum || state.devices[key] != nil else { return }
            state.devices[key] = (now + .seconds(Int64(clamping: seconds)), reason)
        }
    }

    /// What stands for an answer while a message to a device is not sent.
    func verdict(of device: String, at now: MonotonicTime) -> PushVerdict? {
        state.withLock { state in
            if let all = state.all, now < all.end {
                return .paused(all.reason, seconds: (all.end - now).secondsRoundedUp)
            }
            guard !state.devices.isEmpty else { return nil }
            let key = Self.key(device)
            guard let pause = state.devices[key] else { return nil }
            guard now < pause.end else {
                state.devices[key] = nil
                return nil
            }
            return .paused(pause.reason, seconds: (pause.end - now).secondsRoundedUp)
        }
    }

    /// Tokens may be long.
    private static func key(_ device: String) -> [UInt8] { SHA256.hash(device.utf8) }
}

extension Duration {
    /// Whole seconds, at least 1.
    fileprivate var secondsRoundedUp: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: max(1, seconds + (attoseconds > 0 ? 1 : 0)))
    }
}

/// When a provider has last accepted a message. A pure state machine.
struct LastAcceptance: Sendable {
    private var moment: MonotonicTime?

    /// A verdict as it counts. Anybody can post a token of another project or app: it is an alarm only while the provider
    /// accepts none.
    mutating func noted(_ verdict: PushVerdict, at now: MonotonicTime) -> PushVerdict {
        switch verdict {
        case .accepted: moment = now
        case .foreign(let reason),
            .misconfigured(let reason) where reason == PushVerdict.otherApp:
            if let moment, now - moment < PushAlarm.quietAfterAcceptance { return .refused(reason) }
        default: break
        }
        return verdict
    }
}

/// Whether tokens that the provider does not know are dropped: not when they are many, since a wrong server knows none of
/// them. A pure state machine.
package struct BadTokenWatch: Sendable {
    /// One token in so many may be unknown.
    package static let tolerated = 20
    /// As few say nothing.
    package static let minimum = 5
    package static let period = Duration.seconds(60)

    private var start: MonotonicTime?
    private var total = 0
    private var bad = 0
    private var lastAcceptance: MonotonicTime?
    private var isAlarmed = false
    /// Whether unknown tokens are dropped: not when there were many in this period or the one before.
    package private(set) var drops = true

    package init() {}

    /// Counts an answer. True when the operator is to be told now: not of a server that has accepted a token lately.
    package mutating func count(_ verdict: PushVerdict, at now: MonotonicTime) -> Bool {
        if let start, now - start < Self.period {
            total += 1
        } else {
            drops = !isMany
            isAlarmed = isAlarmed && isMany
            start = now
            total = 1
            bad = 0
        }
        switch verdict {
        case .badToken: bad += 1
        case .accepted: lastAcceptance = now
        default: break
        }
        guard isMany else { return false }
        drops = false
        guard !isAlarmed, !(lastAcceptance.map { now - $0 < PushAlarm.quietAfterAcceptance } ?? false) else {
            return false
        }
        isAlarmed = true
        return true
    }

    private var isMany: Bool { bad >= Self.minimum && bad * Self.tolerated > total }
}
