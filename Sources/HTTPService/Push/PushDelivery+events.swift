import Contracts
import LightningCoding
import LightningCrypto
import Notifications
import Platform
import Push

/// Events, which are written down first and sent by the outbox.
extension PushDelivery {
    /// How many wait for one device at once.
    static let mostOfDevice = 20

    /// Writes an event down, when its device can get it.
    func keep(_ request: NotifyRequest) async -> PushAnswer {
        do throws(NoRecipient) {
            let recipient = try await recipient(of: request)
            let now = wallClock()
            let deadline = now.adding(seconds: request.template.lifetime)
            guard message(request, expires: deadline).fitted(for: recipient.target) != nil else { return .tooLarge }
            guard let id = try? OutboxID.push(to: recipient.digest, random: random) else {
                return .failed("the system has no random bytes")
            }
            let work = OutboxWork(
                id: id, kind: .push, account: nil, payload: request.payload, createdAt: now, deadline: deadline,
                state: .pending(dueAt: now))
            return try await awaiting(await add(work), as: NoRecipient.ledger)
        } catch {
            return PushAnswer(error)
        }
    }

    private func add(_ work: OutboxWork) async throws(LedgerFault) -> PushAnswer {
        guard try await backlog.hasPlace(in: ledger, at: clock.now()) else {
            return .failed("too many push messages wait to be sent")
        }
        guard try await ledger.add(work, upTo: Self.mostOfDevice) else { return .tooMany }
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
                return OutboxOutcome(await send(message, to: recipient))
            }
            let host = subscription.endpoint.host
            guard webPushes.take(for: host) else {
                return .continued(at: wallClock().adding(seconds: WebPushPlaces.pause))
            }
            defer { webPushes.giveBack(host) }
            return OutboxOutcome(await send(message, to: recipient))
        } catch {
            switch error {
            case .gone, .invalid: return .dropped(error.reason)
            case .noProvider: return .refused(error.reason)
            case .ledger: return .failed(error.reason)
            }
        }
    }

    /// Removes parked events that have expired; pending ones end by themselves.
    func forgetExpired() async throws(LedgerFault) {
        var query = OutboxQuery(kind: .push, isParked: true, limit: 1000)
        repeat {
            let page = try await ledger.outbox(query)
            let now = wallClock()
            for work in page.elements where work.deadline.map({ $0 <= now }) ?? false {
                try await ledger.remove(work.id)
            }
            query.after = page.next
        } while query.after != nil
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
