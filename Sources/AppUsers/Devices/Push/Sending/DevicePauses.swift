import LightningCrypto
import Platform

/// Devices to which their provider wants no more messages for a while.
struct DevicePauses: Sendable {
    private let pauses = Guarded<[[UInt8]: (end: MonotonicTime, reason: String)]>([:])

    /// How many devices are remembered; of more the provider is asked again.
    static let maximum = 10_000

    func note(_ verdict: PushVerdict, of device: String, at now: MonotonicTime) {
        let (seconds, reason): (UInt64, String)
        switch verdict {
        case .deviceBusy(let told): (seconds, reason) = (told ?? PushAttempt.pause, PushAttempt.busyReason)
        case .unavailable(let why, .some(let told)) where told > PushAttempt.patience: (seconds, reason) = (told, why)
        default: return
        }
        let key = Self.key(device)
        pauses.withLock { pauses in
            if pauses.count >= Self.maximum { pauses = pauses.filter { now < $0.value.end } }
            guard pauses.count < Self.maximum || pauses[key] != nil else { return }
            pauses[key] = (now + .seconds(Int64(clamping: seconds)), reason)
        }
    }

    func verdict(of device: String, at now: MonotonicTime) -> PushVerdict? {
        pauses.withLock { pauses in
            guard !pauses.isEmpty else { return nil }
            let key = Self.key(device)
            guard let pause = pauses[key] else { return nil }
            guard now < pause.end else {
                pauses[key] = nil
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
    var secondsRoundedUp: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: max(1, seconds + (attoseconds > 0 ? 1 : 0)))
    }
}
