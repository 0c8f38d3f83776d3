import LightningCrypto
import Platform

/// Devices to which their provider wants no more messages for a while.
struct DevicePauses: Sendable {
    private let ends = Guarded<[[UInt8]: MonotonicTime]>([:])

    /// How many devices are remembered; of more the provider is asked again.
    static let maximum = 10_000

    /// Takes what the provider has said of a device.
    func note(_ verdict: PushVerdict, of device: String, at now: MonotonicTime) {
        guard case .deviceBusy(let seconds) = verdict else { return }
        let key = Self.key(device)
        ends.withLock { ends in
            if ends.count >= Self.maximum { ends = ends.filter { now < $0.value } }
            guard ends.count < Self.maximum || ends[key] != nil else { return }
            ends[key] = now + .seconds(Int64(clamping: seconds ?? PushAttempt.pause))
        }
    }

    /// The verdict for messages to a device during its pause.
    func verdict(of device: String, at now: MonotonicTime) -> PushVerdict? {
        let key = Self.key(device)
        return ends.withLock { ends in
            guard let end = ends[key] else { return nil }
            guard now < end else {
                ends[key] = nil
                return nil
            }
            return .deviceBusy(retryAfter: (end - now).secondsRoundedUp)
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
