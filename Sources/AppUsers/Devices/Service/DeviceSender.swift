package import CoreMetrics
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
    private let metrics: any MetricsFactory
    /// Messages, wakes, and wakes to catch up wait for no slot of each other.
    let messageSlots = WebPushSlots()
    let wakeSlots = WebPushSlots()
    let catchUpSlots = WebPushSlots()
    private let sender: PushSender

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
    ///   - metrics: counts what becomes of messages and wakes.
    package init(
        _ sender: PushSender, center: MessageCenter, ledger: any Ledger, secret: SecretBytes,
        clock: @escaping WallClock = { .now() },
        monotonic: MonotonicClock = .system, random: @escaping RandomSource = SystemRandom.bytes,
        metrics: any MetricsFactory
    ) {
        self.sender = sender
        self.center = center
        self.ledger = ledger
        self.secret = secret
        self.metrics = metrics
        self.clock = clock
        self.monotonic = monotonic
        self.random = random
    }

    func count(_ label: String, _ dimensions: [(String, String)] = []) {
        Counter(label: label, dimensions: dimensions, factory: metrics).increment()
    }

    /// Notes what a device says of a wake, so many seconds after it was ordered.
    func note(_ outcome: WakeAcknowledgement.Outcome, afterSeconds seconds: UInt64) {
        count("responder_device_acknowledgements_total", [("outcome", outcome.rawValue)])
        Timer(label: "responder_device_acknowledgement_seconds", factory: metrics).recordSeconds(
            Int64(clamping: seconds))
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
        let outcome = await sender.send(message, to: address, registeredAt: since)
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
                count("responder_device_addresses_dropped_total")
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

extension DeviceSender {
    /// Tells a device of a message that it has not shown yet.
    func tell(_ job: DeviceMessageJob, _ work: OutboxWork) async -> OutboxOutcome {
        let now = clock()
        do {
            guard let device = try await ledger.device(job.device), device.address != nil else {
                return .dropped("the device has gone")
            }
            let pending = try await ledger.pending(for: device.id, after: job.sequence - 1, at: now, limit: 1)
            guard let message = pending.first, message.sequence == job.sequence else {
                return .dropped("the device has the message already, or it has expired")
            }
            guard message.readAt == nil else { return .dropped("the owner has read it") }
            let delivery = try await center.delivery(of: message.content)
            switch delivery {
            case .none: return .dropped("the owner has turned off messages of this type")
            case .fetched: return .carriedOut
            // APNs stores one alert for a device that is off, and a silent message replaces it: the app fetches both.
            case .alert, .silent:
                return await messageSlots.with(for: device) {
                    await send(message, to: device, isSilent: delivery == .silent)
                } ?? .continued(at: now.adding(seconds: WebPushSlots.pause(after: now.seconds(since: work.createdAt))))
            }
        } catch {
            return .failed("the ledger was not readable")
        }
    }

    private func send(_ message: DeviceMessage, to device: Device, isSilent: Bool) async -> OutboxOutcome {
        var outcome = await push(message, to: device, isSilent: isSilent, isComplete: true)
        if outcome == .tooLarge { outcome = await push(message, to: device, isSilent: isSilent, isComplete: false) }
        guard case .accepted = outcome else { return OutboxOutcome(outcome, at: clock()) }
        count("responder_device_messages_total", [("way", isSilent ? "silent" : "alert")])
        if !isSilent, case .apns = device.address {
            // Lost in a crash, it only means a wake earlier than necessary.
            try? await center.noteAccepted(
                CatchUpState.StoredAlert(sequence: message.sequence, expires: message.content.expiresAt),
                for: device.id)
        }
        return .carriedOut
    }

    private func push(
        _ message: DeviceMessage, to device: Device, isSilent: Bool, isComplete: Bool
    ) async -> PushOutcome {
        do {
            let unread = try await ledger.messageCount(of: message.content.owner).unread
            let pending = try await ledger.pending(for: device.id, after: 0, at: clock(), limit: 2)
            guard
                let push = try message.push(
                    to: device, isSilent: isSilent, unread: unread, hasMore: pending.count > 1,
                    isComplete: isComplete, secret: secret, random: random)
            else { return .refused("the device has no encryption key") }
            return await send(push, to: device)
        } catch {
            return .later(seconds: Self.pause, "the message could not be encrypted, or the ledger was not readable")
        }
    }

    /// Tells the owner of an account of a payment.
    func tell(_ job: OwnerPaymentJob) async -> OutboxOutcome {
        do {
            guard let owner = try await ledger.account(named: job.payee)?.settings.owner else {
                return .dropped("the account no longer has an owner")
            }
            guard let invoice = try await ledger.invoice(job.paymentHash),
                let message = DeviceMessage.Content(of: invoice, to: owner)
            else { return .refused("the ledger knows of no such payment") }
            try await center.tell(message)
            return .carriedOut
        } catch {
            return .failed("the ledger was not readable or writable")
        }
    }

    /// Tells an owner of a payment that a device of theirs has received itself; a failure is left at that, since the
    /// device knows.
    package func noteReceived(_ amount: Millisatoshi?, of paymentHash: PaymentHash, by owner: PublicKey) async {
        _ = try? await center.tell(
            DeviceMessage.Content(received: amount, of: paymentHash, to: owner, at: clock()))
    }

    /// Tells an owner that their registration was changed, or removed and not made again.
    func tell(_ change: RegistrationChange) async -> OutboxOutcome {
        do {
            // Whether it was made again as it was, has been decided then.
            if change.present == nil, try await ledger.registration(change.registration) != nil { return .carriedOut }
            if let message = DeviceMessage.Content(change, at: clock()) { try await center.tell(message) }
            return .carriedOut
        } catch {
            return .failed("the ledger was not readable or writable")
        }
    }

    /// Wakes the devices that are to fetch what they have missed, all at once: an endpoint may hang, and one for which there
    /// is no slot is woken later.
    package func wakeForCatchUp() async throws(LedgerFault) {
        let due = try await center.devicesToWake()
        let fault = await withTaskGroup(of: LedgerFault?.self) { group in
            for device in due { group.addTask { await wakeForCatchUp(device) } }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let fault { throw fault }
    }

    private func wakeForCatchUp(_ id: DeviceID) async -> LedgerFault? {
        do throws(LedgerFault) {
            guard let device = try await ledger.device(id) else { return nil }
            let woken = await catchUpSlots.with(for: device) { await wakeInSlot(id) }
            guard let woken else {
                try await center.postponeWake(id)
                return nil
            }
            return woken
        } catch {
            return error
        }
    }

    private func wakeInSlot(_ id: DeviceID) async -> LedgerFault? {
        do throws(LedgerFault) {
            guard let device = try await center.deviceToWake(id),
                let push = try? PushMessage.catchUp(of: device, at: clock(), secret: secret, random: random),
                case .accepted = await send(push, to: device)
            else { return nil }
            count("responder_device_catch_ups_total")
            try await center.noteWoken(id)
            return nil
        } catch {
            return error
        }
    }
}

/// Carries out jobs for registered devices.
private struct DeviceJobHandler<Job: OutboxJob>: OutboxHandler {
    let sender: DeviceSender
    let policy = OutboxPolicy.pushes
    let attempt: @Sendable (DeviceSender, Job, OutboxWork) async -> OutboxOutcome

    func carryOut(_ job: Job, _ work: OutboxWork) async -> OutboxOutcome {
        await attempt(sender, job, work)
    }
}

private let noProvider = "no push provider is configured"

/// Carries out no jobs, since no provider is configured.
private struct UnprovidedJobHandler<Job: OutboxJob>: OutboxHandler {
    var outcome = OutboxOutcome.dropped(noProvider)

    func carryOut(_ job: Job, _ work: OutboxWork) async -> OutboxOutcome { outcome }
}

extension DeviceSender {
    /// Those of messages, wakes, payments and registrations.
    package var outboxHandlers: [any OutboxHandler] {
        [
            DeviceJobHandler<DeviceMessageJob>(sender: self) { await $0.tell($1, $2) },
            DeviceJobHandler<WakeJob>(sender: self) { await $0.wake($1, $2) },
            DeviceJobHandler<OwnerPaymentJob>(sender: self) { sender, job, _ in await sender.tell(job) },
            DeviceJobHandler<RegistrationChange>(sender: self) { sender, job, _ in await sender.tell(job) },
        ]
    }

    /// The handlers of a service without a provider. Events are parked, since another instance may have accepted them; they can
    /// be sent until they expire.
    package static var unprovidedHandlers: [any OutboxHandler] {
        [
            UnprovidedJobHandler<PushJob>(outcome: .refused(noProvider)),
            UnprovidedJobHandler<DeviceMessageJob>(), UnprovidedJobHandler<WakeJob>(),
            UnprovidedJobHandler<OwnerPaymentJob>(), UnprovidedJobHandler<RegistrationChange>(),
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
