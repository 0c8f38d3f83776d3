package import LightningCoding
package import LightningCrypto
import ResponderCore
package import ResponderModel

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
        report(.told(isSilent: isSilent))
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
            guard let owner = try await ledger.account(named: job.payment.account)?.settings.owner else {
                return .dropped("the account no longer has an owner")
            }
            guard let invoice = try await ledger.invoice(job.payment.hash),
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
                let push = try? WakePush.catchUp(of: device, at: clock(), secret: secret, random: random),
                case .accepted = await send(push, to: device)
            else { return nil }
            report(.catchUp)
            try await center.noteWoken(id)
            return nil
        } catch {
            return error
        }
    }
}
