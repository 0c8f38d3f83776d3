import LightningCoding
import LightningCrypto
import Platform
package import ResponderCore
package import ResponderModel

/// A push message to be sent. Of the request what is understood is written down in its own form, so that it is read by the
/// same rules.
package struct PushJob: OutboxJob {
    package let id: OutboxID
    package let subject: OutboxSubject?
    let request: NotifyRequest

    /// Its id has 128 random bits.
    init(_ request: NotifyRequest, to recipient: PushRecipient, random: RandomSource) throws(CryptoFault) {
        id = OutboxID(unchecked: "push-" + Hexadecimal.encode(try random(16)))
        subject = recipient.subject
        self.request = request
    }

    package init?(_ work: OutboxWork) {
        guard let json = work.payloadJSON, let body = json["body"]?.string else { return nil }
        let query = ["platform", "token", "app_data"].compactMap { name in
            json[name]?.string.map { (name: name, value: $0) }
        }
        guard let request = try? NotifyRequest(query: query, body: Array(body.utf8)) else { return nil }
        (id, subject, self.request) = (work.id, work.subject, request)
    }

    package static let kind = OutboxKind.push

    /// `{"platform":"…","token":"…","app_data":"…","body":"…"}`
    package var payload: [UInt8] {
        var object: JSONObject = ["platform": .string(request.platform.rawValue), "token": .string(request.token)]
        if let appData = request.content.appData { object.append("app_data", .string(appData)) }
        object.append("body", .string(JSONValue.object(request.body).serialized()))
        return JSONValue.object(object).serializedBytes()
    }
}

extension OutboxPolicy {
    /// A push is useful for a day; a provider's outage is over sooner. The last pause ends after the day: an event expires
    /// rather than being parked.
    static let pushes = OutboxPolicy(
        concurrency: 64,
        schedule: RetrySchedule(pauses: [10, 60, 900, 900, 3_600, 3_600, 14_400, 14_400, 28_800, 28_800]))
}

/// Events, which are written down first and sent by the outbox.
extension PushDelivery: OutboxHandler {
    package var policy: OutboxPolicy { .pushes }

    /// How many are kept for one device at once.
    static let mostOfDevice = 20
    /// The same for one push service that senders have named.
    static let mostOfHost = 500

    /// Writes an event down, when its device can get it.
    func keep(_ request: NotifyRequest, from network: ClientNetwork?) async -> PushAnswer {
        do throws(NoRecipient) {
            let recipient = try await recipient(of: request)
            let now = wallClock()
            let deadline = now.adding(seconds: request.template.lifetime)
            guard message(request, expires: deadline).fitted(for: recipient.target) != nil else { return .tooLarge }
            guard let job = try? PushJob(request, to: recipient, random: random) else {
                return .failed("the system has no random bytes")
            }
            let work = OutboxWork(job, at: now, deadline: deadline)
            return try await NoRecipient.asking(await add(work, about: recipient.subject, from: network))
        } catch {
            return PushAnswer(error)
        }
    }

    private func add(
        _ work: OutboxWork, about device: OutboxSubject, from network: ClientNetwork?
    ) async throws(LedgerFault) -> PushAnswer {
        guard try await backlog.isBelowLimit(device.above(1), in: ledger, at: clock.now()) else {
            return .failed("too many push messages wait to be sent")
        }
        // Of a subscription. Hosts are free, and those that hang leave their events here.
        let host = device.above(2)
        var isKept = false
        if host != device {
            guard try await ledger.count(.push, about: host, upTo: Self.mostOfHost) < Self.mostOfHost,
                backlog.take(for: network, at: clock.now())
            else { return .tooMany }
        }
        defer { if host != device, !isKept { backlog.putBack(network) } }
        // Parked ones count here, and pending ones once more when it is added, together with those that others add now.
        guard try await ledger.count(.push, about: device, upTo: Self.mostOfDevice) < Self.mostOfDevice,
            try await ledger.add(work, upTo: Self.mostOfDevice)
        else { return .tooMany }
        isKept = true
        report(.queued)
        return .taken
    }

    /// Sends what was kept.
    package func carryOut(_ job: PushJob, _ work: OutboxWork) async -> OutboxOutcome {
        let request = job.request
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

/// Limits the messages of one kind of work that are on their way to push services that apps and senders have named: those
/// that hang must not hold up all others.
struct WebPushSlots: Sendable {
    private let slots = SharedSlots(ofAll)

    static let ofHost = 16
    static let ofOwner = 8
    /// How many are on their way to all, of the 64 of a kind that are sent at once.
    static let ofAll = 48
    /// Seconds until an event or message that finds no slot is tried again: a quarter of its age in seconds, so that many for
    /// hosts that hang do not keep the outbox busy.
    static func pause(after age: UInt64) -> UInt64 { max(15, age / 4) }

    /// Does something in a slot; nil when there is none.
    ///
    /// - Parameter owner: of a registered device.
    func with<Result: Sendable>(
        _ host: String, of owner: PublicKey? = nil, _ work: () async -> Result
    ) async -> Result? {
        guard let slot = take(host, of: owner) else { return nil }
        defer { withExtendedLifetime(slot) {} }
        return await work()
    }

    /// Takes a slot, which is free again once nobody refers to it; nil when there is none.
    func take(_ host: String, of owner: PublicKey? = nil) -> SharedSlots.Slot? {
        var shares = [SharedSlots.Share.most(Self.ofHost, of: "host \(host)")]
        if let owner { shares.append(.most(Self.ofOwner, of: "owner \(owner.hexadecimal)")) }
        return try? slots.take(for: nil, shares)
    }
}
