package import LightningCoding
package import LightningCrypto
package import Platform
package import ResponderCore
package import ResponderModel

/// Sends push messages to registered devices, and forgets the addresses that providers say have gone.
package struct DeviceSender: Sendable {
    /// What devices ask and are told.
    package let center: MessageCenter
    package let ledger: any Ledger
    /// What collapse ids are made with.
    let secret: SecretBytes
    let clock: WallClock
    let monotonic: MonotonicClock
    let random: RandomSource
    let report: @Sendable (Event) -> Void
    /// Messages, wakes, and wakes to catch up wait for no slot of each other.
    let messageSlots = WebPushSlots()
    let wakeSlots = WebPushSlots()
    let catchUpSlots = WebPushSlots()
    private let sender: PushSender

    /// What becomes of messages and wakes.
    package enum Event {
        case addressDropped
        case told(isSilent: Bool)
        case catchUp
        /// A device has said what came of a wake, so many seconds after it was ordered.
        case acknowledged(WakeAcknowledgement.Outcome, afterSeconds: UInt64)
        case alerted
    }

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - sender: the providers.
    ///   - center: what devices ask and are told.
    ///   - ledger: devices, messages, invoices, and the work to be done.
    ///   - secret: what collapse ids are made with.
    ///   - clock: the time.
    ///   - monotonic: measures how long a provider takes.
    ///   - random: draws keys and ids.
    ///   - report: receives what becomes of messages and wakes.
    package init(
        _ sender: PushSender, center: MessageCenter, ledger: any Ledger, secret: SecretBytes,
        clock: @escaping WallClock = { .now() },
        monotonic: MonotonicClock = .system, random: @escaping RandomSource = SystemRandom.bytes,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.sender = sender
        self.center = center
        self.ledger = ledger
        self.secret = secret
        self.report = report
        self.clock = clock
        self.monotonic = monotonic
        self.random = random
    }

    /// Whom a handle stands for. A handle that is unknown or revoked leads to nobody.
    func device(of handle: String) async throws(LedgerFault) -> Device? {
        guard let id = center.handles.device(handle) else { return nil }
        return try await ledger.device(id)
    }

    /// What an app needs before it registers.
    package var info: JSONObject {
        var info = center.info
        if let key = sender.vapidKey { info.append("vapid_key", .string(key)) }
        return info
    }

    /// Sends a message to a device. An address is dropped unless the device has registered again meanwhile.
    func send(_ message: PushMessage, to device: Device) async -> PushOutcome {
        guard case .live(let address, let since) = device.state else { return .gone }
        guard let target = PushTarget(address) else { return .refused("the device's address cannot be used") }
        let outcome = await sender.send(message, to: target, registeredAt: since)
        do throws(LedgerFault) {
            if case .accepted = outcome {
                await center.noteContact(with: device)
                // Lost, it only means a wake later than necessary; the message must not go again.
                try? await noteReplaced(by: message, at: address, of: device)
            }
            guard outcome == .gone else { return outcome }
            if try await ledger.dropAddress(
                of: device.id, setBefore: since.adding(seconds: 1),
                because: "its push provider no longer knows it",
                at: clock())
            {
                report(.addressDropped)
            }
            return .gone
        } catch {
            return .later(seconds: Self.pause, error.reason)
        }
    }

    /// APNs stores one notification for an app: what is sent replaces an alert that was stored, and when it has expired
    /// itself, the device can be woken to fetch what it has missed.
    private func noteReplaced(
        by message: PushMessage, at address: PushAddress, of device: Device
    ) async throws(LedgerFault) {
        guard case .apns = address, let stored = device.catchUp.stored, clock() < stored.expires,
            message.expires < stored.expires
        else { return }
        try await center.noteAccepted(
            CatchUpState.StoredAlert(sequence: stored.sequence, expires: message.expires), for: device.id)
    }

    /// How long to wait after the ledger has failed, in seconds.
    static let pause: UInt64 = 10
}

/// Carries out jobs for registered devices; drops them when no provider is configured.
private struct DeviceJobHandler<Job: OutboxJob>: OutboxHandler {
    let sender: DeviceSender?
    let policy = OutboxPolicy.pushes
    let attempt: @Sendable (DeviceSender, Job, OutboxWork) async -> OutboxOutcome

    func carryOut(_ job: Job, _ work: OutboxWork) async -> OutboxOutcome {
        guard let sender else { return .dropped("no push provider is configured") }
        return await attempt(sender, job, work)
    }
}

extension DeviceSender {
    /// Those of messages, wakes, payments and registrations.
    ///
    /// - Parameter sender: nil when no provider is configured.
    package static func outboxHandlers(_ sender: DeviceSender?) -> [any OutboxHandler] {
        [
            DeviceJobHandler<DeviceMessageJob>(sender: sender, attempt: { await $0.tell($1, $2) }),
            DeviceJobHandler<WakeJob>(sender: sender, attempt: { await $0.wake($1, $2) }),
            DeviceJobHandler<OwnerPaymentJob>(sender: sender, attempt: { sender, job, _ in await sender.tell(job) }),
            DeviceJobHandler<RegistrationChange>(sender: sender, attempt: { sender, job, _ in await sender.tell(job) }),
        ]
    }
}

extension WebPushSlots {
    /// Does something for a device in a slot; nil when there is none. Whoever is not reached by Web Push needs none.
    func with<Result: Sendable>(for device: Device, _ work: () async -> Result) async -> Result? {
        guard case .webPush(let subscription) = device.address else { return await work() }
        return await with(subscription.endpoint.host, of: device.profile.owner, work)
    }
}

extension OutboxOutcome {
    /// What becomes of the work that sends a message. Due times are whole seconds: a second more, and no attempt is made
    /// within the pause. What was not sent because of a pause has not failed.
    init(_ outcome: PushOutcome, at now: UnixTime) {
        self =
            switch outcome {
            case .accepted: .carriedOut
            case .gone: .dropped("the device has gone")
            case .parked(let reason), .refused(let reason): .refused(reason)
            case .tooLarge: .refused("the message is too large for the provider")
            case .later(let seconds, let reason): .postponed(seconds: seconds + 1, reason)
            case .paused(let seconds, _): .continued(at: now.adding(seconds: seconds + 1))
            }
    }
}
