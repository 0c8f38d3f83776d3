import Devices
import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel

/// Events, which are written down first and sent by the outbox.
extension PushDelivery {
    /// How many are kept for one device at once.
    static let mostOfDevice = 20
    /// The same for one push service that senders have named.
    static let mostOfHost = 500

    /// Writes an event down, when its device can get it.
    func keep(_ request: NotifyRequest) async -> PushAnswer {
        do throws(NoRecipient) {
            let recipient = try await recipient(of: request)
            let now = wallClock()
            let deadline = now.adding(seconds: request.template.lifetime)
            guard message(request, expires: deadline).fitted(for: recipient.target) != nil else { return .tooLarge }
            guard let id = try? OutboxID(recipient.prefixes.device, random: random) else {
                return .failed("the system has no random bytes")
            }
            let work = OutboxWork(
                id: id, kind: .push, account: nil, payload: request.payload, createdAt: now, deadline: deadline,
                state: .pending(dueAt: now))
            return try await NoRecipient.asking(await add(work, counting: recipient.prefixes))
        } catch {
            return PushAnswer(error)
        }
    }

    private func add(_ work: OutboxWork, counting prefixes: EventPrefixes) async throws(LedgerFault) -> PushAnswer {
        guard try await backlog.isBelowLimit(prefixes.kind, in: ledger, at: clock.now()) else {
            return .failed("too many push messages wait to be sent")
        }
        if let host = prefixes.host {
            guard try await ledger.count(idsFrom: host, upTo: Self.mostOfHost) < Self.mostOfHost else {
                return .tooMany
            }
        }
        // Parked ones count here, and pending ones once more when it is added, together with those that others add now.
        guard try await ledger.count(idsFrom: prefixes.device, upTo: Self.mostOfDevice) < Self.mostOfDevice,
            try await ledger.add(work, upTo: Self.mostOfDevice)
        else { return .tooMany }
        report(.queued)
        return .taken
    }

    /// Sends what was kept.
    func carryOut(_ work: OutboxWork) async -> OutboxOutcome {
        guard let request = NotifyRequest(payload: work.payload) else { return .refused("the entry cannot be read") }
        if let deadline = work.deadline, deadline <= wallClock() { return .dropped("it has expired") }
        let message = message(request, expires: work.deadline ?? work.createdAt)
        do throws(NoRecipient) {
            let recipient = try await recipient(of: request)
            guard case .token(.webPush(let subscription)) = recipient else {
                return recipient.end(await send(message, to: recipient), at: wallClock())
            }
            let outcome = await webPushes.with(subscription.endpoint.host) { await send(message, to: recipient) }
            let now = wallClock()
            return outcome.map { recipient.end($0, at: now) }
                ?? .continued(at: now.adding(seconds: WebPushSlots.pause(after: now.seconds(since: work.createdAt))))
        } catch {
            switch error {
            case .gone, .invalid: return .dropped(error.reason)
            case .noProvider: return .refused(error.reason)
            case .ledger: return .failed(error.reason)
            }
        }
    }

    /// Removes parked events that have expired; pending ones end by themselves.
    ///
    /// - Parameter lease: the lease `outbox`.
    func forgetExpired(under lease: Lease?) async throws(LedgerFault) {
        while try await ledger.forgetParked(.push, limit: 1000, at: wallClock(), under: lease) > 0 {}
    }

    private func message(_ request: NotifyRequest, expires: UnixTime) -> PushMessage {
        PushMessage(
            request.content, .alert, expires: expires, collapseID: collapseID(request),
            replacesEarlier: request.template.replacesEarlier)
    }

    private func collapseID(_ request: NotifyRequest) -> CollapseID? {
        guard let member = request.template.subject, let subject = request.content.payload[member]?.string else {
            return nil
        }
        return CollapseID(
            secret: settings.collapseSecret, identity: request.token, topic: request.template.type, key: subject)
    }
}
