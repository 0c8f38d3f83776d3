import Contracts
import Devices
public import LightningCoding
public import LightningCrypto
import Notifications
import Push

extension DeviceSender {
    /// Tells a device of a message that it has not shown yet.
    func tell(_ work: OutboxWork) async -> OutboxOutcome {
        guard let notice = DeviceNotice(payload: work.payload), notice.sequence > 0 else {
            return .refused("the entry cannot be read")
        }
        let now = clock()
        do {
            guard let device = try await ledger.device(notice.device), device.address != nil else {
                return .dropped("the device has gone")
            }
            let pending = try await ledger.pending(for: device.id, after: notice.sequence - 1, at: now, limit: 1)
            guard let message = pending.first, message.sequence == notice.sequence else {
                return .dropped("the device has the message already, or it has expired")
            }
            guard message.readAt == nil else { return .dropped("the owner has read it") }
            switch try await centre.delivery(of: message.content) {
            case .none: return .dropped("the owner wants no such messages any more")
            case .silent where device.mayHaveStoredAlert(at: now), .collected where device.mayHaveStoredAlert(at: now):
                // A silent message would replace it. The device fetches this one when it has shown that one.
                return .carriedOut
            case .silent: return await send(message, to: device, isSilent: true)
            case .collected: return try await tellWithOthers(message, to: device, at: now)
            case .alert(let moment) where moment > now:
                return .postponed(seconds: moment.seconds(since: now), "the owner has quiet hours")
            case .alert: return await send(message, to: device, isSilent: false)
            }
        } catch {
            return .failed("the ledger was not readable")
        }
    }

    /// Tells a device of what was collected by the work of the newest message. That of the others waits until a provider
    /// has taken it: the newest may be read or deleted before, or expire.
    private func tellWithOthers(
        _ message: DeviceMessage, to device: Device, at now: UnixTime
    ) async throws -> OutboxOutcome {
        let batch = try await centre.batch(with: message, for: device.id)
        guard batch.newest == message else {
            // Without work the newest was told, and the others with it.
            guard let work = try await ledger.work(.message(batch.newest.sequence, to: device.id)) else {
                return .carriedOut
            }
            let moment =
                switch work.state {
                case .pending(let dueAt): dueAt
                case .parked: MessageHour(at: now, of: message.content.owner).end
                }
            return .continued(at: max(moment, now.adding(seconds: Self.pause)))
        }
        let outcome = await send(message, to: device, isSilent: true, count: batch.count)
        if outcome == .carriedOut {
            // Left in a crash, it ends at its next attempt.
            for other in batch.others { try? await ledger.remove(.message(other.sequence, to: device.id)) }
        }
        return outcome
    }

    /// - Parameter count: how many messages of low priority it stands for.
    private func send(
        _ message: DeviceMessage, to device: Device, isSilent: Bool, count: Int = 1
    ) async -> OutboxOutcome {
        var outcome = await push(message, to: device, isSilent: isSilent, count: count, isComplete: true)
        if outcome == .tooLarge {
            outcome = await push(message, to: device, isSilent: isSilent, count: count, isComplete: false)
        }
        guard case .accepted = outcome else { return OutboxOutcome(outcome) }
        observer.note(.told(isSilent: isSilent))
        if !isSilent, case .apns = device.address {
            // Lost in a crash, it only means a wake earlier than necessary.
            try? await centre.noteAccepted(
                CatchUpState.StoredAlert(sequence: message.sequence, expires: message.content.expiresAt),
                for: device.id)
        }
        return .carriedOut
    }

    private func push(
        _ message: DeviceMessage, to device: Device, isSilent: Bool, count: Int, isComplete: Bool
    ) async -> PushOutcome {
        do {
            let unread = try await ledger.messageCount(of: message.content.owner).unread
            guard
                let push = try message.push(
                    to: device, isSilent: isSilent, unread: unread, count: count, isComplete: isComplete,
                    secret: secret, random: random)
            else { return .refused("the device has no encryption key") }
            return await send(push, to: device)
        } catch {
            return .later(seconds: Self.pause, "the message could not be encrypted, or the ledger was not readable")
        }
    }

    /// Tells the owner of an account of a payment.
    func tellOwner(_ work: OutboxWork) async -> OutboxOutcome {
        guard let notice = SettlementNotice(payload: work.payload) else { return .refused("the entry cannot be read") }
        do {
            let account = if let name = work.account { try await ledger.account(named: name) } else { nil as Account? }
            guard let owner = account?.settings.owner else { return .dropped("the account has no owner any more") }
            guard let invoice = try await ledger.invoice(notice.paymentHash),
                let message = DeviceMessage.Content(of: invoice, to: owner)
            else { return .refused("the ledger knows of no such payment") }
            try await centre.tell(message)
            return .carriedOut
        } catch {
            return .failed("the ledger was not readable or writable")
        }
    }

    /// Tells an owner of a payment that a device of theirs has received itself; a failure is left at that, since the
    /// device knows.
    public func noteReceived(_ amount: Millisatoshi?, of paymentHash: PaymentHash, by owner: PublicKey) async {
        _ = try? await centre.tell(
            DeviceMessage.Content(received: amount, of: paymentHash, to: owner, at: clock()))
    }

    /// Wakes the devices that are to fetch what they have missed: several at once, since an endpoint may hang.
    func wakeForCatchUp() async throws(LedgerFault) {
        let due = try await centre.devicesToWake()
        let fault = await withTaskGroup(of: LedgerFault?.self) { group in
            var fault: LedgerFault?
            for (count, device) in due.enumerated() {
                if count >= Self.wakesAtOnce, let ended = await group.next() { fault = fault ?? ended }
                group.addTask { await wakeForCatchUp(device) }
            }
            for await ended in group { fault = fault ?? ended }
            return fault
        }
        if let fault { throw fault }
    }

    private static let wakesAtOnce = 16

    private func wakeForCatchUp(_ id: DeviceID) async -> LedgerFault? {
        do throws(LedgerFault) {
            guard let device = try await centre.deviceToWake(id),
                let push = try? WakePush.catchUp(of: device, at: clock(), secret: secret, random: random),
                case .accepted = await send(push, to: device)
            else { return nil }
            observer.note(.catchUp)
            try await centre.noteWoken(id)
            return nil
        } catch {
            return error
        }
    }
}

extension Device {
    fileprivate func mayHaveStoredAlert(at now: UnixTime) -> Bool { catchUp.stored.map { now < $0.expires } ?? false }
}
