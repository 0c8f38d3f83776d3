package import Devices
package import LightningCoding
package import LightningCrypto
package import Platform
import Registrations
import ResponderCore
package import ResponderModel

/// Passes notifications on to devices, as push messages.
///
/// A payer's question is pushed at once, and its sender learns whether the provider has taken it. An event is written down
/// first and sent by the outbox. An invoice request waits for the device's reply.
package final class PushDelivery: Sendable {
    /// What belongs to the installation.
    package struct Settings: Sendable {
        /// Where devices post their replies, without the id.
        package var replyBase: HTTPURL
        /// How long the provider may take to accept a question: as long as the sender of a webhook waits.
        package var pushTime = Duration.seconds(10)
        /// How long a device may take to reply.
        package var replyTime = Duration.seconds(60)
        /// How many events are kept until they are sent, or parked: of registered devices, of tokens of Apple and Google, and
        /// of subscriptions of Web Push, each.
        package var maximumKept = 40_000
        /// What collapse ids are made with.
        package var collapseSecret: SecretBytes

        package init(replyBase: HTTPURL, collapseSecret: SecretBytes) {
            self.replyBase = replyBase
            self.collapseSecret = collapseSecret
        }
    }

    /// The path at which devices post their replies, without the id.
    package static let replyPath = "/api/v1/response"

    let settings: Settings
    private let sender: PushSender
    private let devices: DeviceSender?
    let ledger: any Ledger
    let clock: MonotonicClock
    let wallClock: WallClock
    let random: RandomSource
    let backlog: PushBacklog
    let webPushes = WebPushSlots()
    private let places: SharedPlaces
    private let held = HeldReplies()
    private let shared: (any SharedReplies)?
    private let noteFault: @Sendable (LedgerFault) -> Void
    let report: @Sendable (PushReport) -> Void

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - settings: what belongs to the installation.
    ///   - sender: the providers.
    ///   - places: those of all who wait. A host of Web Push has a quarter of them.
    ///   - devices: sends to those that a handle stands for; nil when there are none.
    ///   - ledger: keeps events until they are sent.
    ///   - shared: where replies go that nobody waits for here; nil where there is one instance.
    ///   - clock: measures deadlines.
    ///   - wallClock: dates messages.
    ///   - random: draws reply ids.
    ///   - report: is told of what is kept, and of replies.
    ///   - noteFault: receives each fault that keeps replies from reaching another instance.
    package init(
        _ settings: Settings, sender: PushSender, places: SharedPlaces, devices: DeviceSender? = nil,
        ledger: any Ledger,
        shared: (any SharedReplies)? = nil, clock: MonotonicClock = .system,
        wallClock: @escaping WallClock = { .now() }, random: @escaping RandomSource = SystemRandom.bytes,
        report: @escaping @Sendable (PushReport) -> Void = { _ in },
        noteFault: @escaping @Sendable (LedgerFault) -> Void = { _ in }
    ) {
        self.settings = settings
        self.sender = sender
        self.places = places
        self.devices = devices
        self.ledger = ledger
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
        self.shared = shared
        self.noteFault = noteFault
        self.report = report
        backlog = PushBacklog(maximum: settings.maximumKept)
    }

    /// Takes a notification of a client in that network.
    func answer(_ request: NotifyRequest, from network: ClientNetwork) async -> PushAnswer {
        if request.template.answer == .onceDurable { return await keep(request) }
        // The ledger may take time too.
        let end = clock.now() + (request.template.answer == .withReply ? settings.replyTime : settings.pushTime)
        do throws(NoRecipient) {
            let recipient = try await recipient(of: request)
            let place: SharedPlaces.Place
            do throws(SharedPlaces.Refusal) {
                place = try places.take(for: network, shares(of: recipient, request))
            } catch {
                return refusal(of: request, error)
            }
            defer { withExtendedLifetime(place) {} }
            if request.template.answer == .withReply { return await replied(request, by: recipient, until: end) }
            return await pushed(request, request.content, to: recipient, until: end).map { PushAnswer($0) }
                ?? .failed("no push in time")
        } catch {
            return PushAnswer(error)
        }
    }

    /// How many requests wait for the reply of one device: each of them wakes it.
    static let mostReplies = 5

    private func shares(of recipient: PushRecipient, _ request: NotifyRequest) -> [SharedPlaces.Share] {
        var shares: [SharedPlaces.Share] = []
        if case .webPush(let subscription) = recipient.target {
            shares.append(.part(4, of: "push service \(subscription.endpoint.authority)"))
        }
        if request.template.answer == .withReply {
            shares.append(.most(Self.mostReplies, of: "device \(Hexadecimal.encode(recipient.digest))"))
        }
        return shares
    }

    private func refusal(of request: NotifyRequest, _ refusal: SharedPlaces.Refusal) -> PushAnswer {
        guard request.template.answer == .withReply else { return .tooMany }
        switch refusal {
        case .full: return .notAnswered("too many requests wait for devices")
        case .network: return .notAnswered("too many requests of this network wait for devices")
        case .share: return .notAnswered("too many requests wait for this device")
        }
    }

    /// Whether a reply is waited for here.
    func isWaiting(for id: ReplyID) -> Bool { held.isOpen(id.digest) }

    /// Takes the reply of a device; false when nobody waits for it here.
    func accept(_ reply: [UInt8], for id: ReplyID) -> Bool { held.receive(reply, for: id.digest) }

    /// Hands a reply to the instance where it is waited for. False when it is nowhere.
    func hand(_ reply: [UInt8], for id: ReplyID) async -> Bool {
        guard let shared else { return false }
        do throws(LedgerFault) {
            return try await shared.hand(DeviceReply(reply), for: id.digest)
        } catch {
            noteFault(error)
            return false
        }
    }

    /// Takes a reply that another instance has received.
    func take(_ handed: HandedReply) { _ = held.receive(handed.reply.body, for: handed.digest) }

    /// Ends all requests that wait for replies.
    func stop() { held.stop() }

    /// The end of a push for which somebody waits until a moment; nil when there was none in time.
    private func pushed(
        _ request: NotifyRequest, _ content: PushContent, to recipient: PushRecipient, until end: MonotonicTime
    ) async -> PushOutcome? {
        let message = PushMessage(content, .reply, expires: wallClock().adding(seconds: request.template.lifetime))
        return await clock.race(until: min(end, clock.now() + settings.pushTime)) {
            await self.send(message, to: recipient)
        }
    }

    /// Who has a token or a handle now.
    func recipient(of request: NotifyRequest) async throws(NoRecipient) -> PushRecipient {
        if let devices, DeviceHandles.isHandle(request.token) {
            let device = try await awaiting(await devices.device(of: request.token), as: NoRecipient.ledger)
            guard let device, let address = device.address else { throw .gone }
            guard let target = PushTarget(address) else { throw .invalid }
            return .device(device, target)
        }
        guard sender.reaches(request.platform) else { throw .noProvider }
        guard let target = sender.target(request.platform, token: request.token) else { throw .invalid }
        return .token(target)
    }

    func send(_ message: PushMessage, to recipient: PushRecipient) async -> PushOutcome {
        switch recipient {
        case .device(let device, _): await devices?.send(message, to: device) ?? .gone
        case .token(let target): await sender.send(message, to: target)
        }
    }

    private func replied(
        _ request: NotifyRequest, by recipient: PushRecipient, until deadline: MonotonicTime
    ) async -> PushAnswer {
        guard let (id, reply) = held.open(random) else { return .notAnswered("the service cannot answer now") }
        defer { close(id.digest) }
        await expectElsewhere(id.digest)
        // The request may have ended meanwhile: nobody would be there for what the device is woken for.
        guard held.isOpen(id.digest), !Task.isCancelled, clock.now() < deadline else {
            report(.silent)
            return .silent
        }
        var content = request.content
        content.payload.append("reply_url", .string(settings.replyBase.appendingPath(String(id.number)).text))
        switch await pushed(request, content, to: recipient, until: deadline) {
        case .accepted: break
        case .gone: return .notAnswered("the device cannot be reached any more")
        case .tooLarge: return .notAnswered("the invoice request is too large for the device")
        case .parked, .refused, .later, .paused, nil: return .notAnswered("the device cannot be reached now")
        }
        let timer = Task { [clock, held] in
            if (try? await clock.sleep(deadline)) != nil { held.close(id.digest) }
        }
        defer { timer.cancel() }
        let pushed = clock.now()
        guard let reply = await reply.value() else {
            report(.silent)
            return .silent
        }
        report(.replied(after: clock.now() - pushed))
        return .replied(reply)
    }

    /// Before the device is asked: its reply may be faster than whatever comes later.
    private func expectElsewhere(_ digest: ReplyDigest) async {
        guard let shared else { return }
        do throws(LedgerFault) {
            try await shared.expect(digest, within: settings.replyTime)
        } catch {
            noteFault(error)
        }
    }

    private func close(_ digest: ReplyDigest) {
        held.close(digest)
        guard let shared else { return }
        Task { try? await shared.forget(digest) }
    }
}

/// Limits how many events of each kind of recipient are kept: anybody can post them.
struct PushBacklog: Sendable {
    private let maximum: Int
    private let known = Guarded<[String: (count: Int, until: MonotonicTime)]>([:])

    /// For how long a count of the ledger is used.
    private static let age = Duration.seconds(5)

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Whether one more may be kept.
    ///
    /// - Parameter kind: the prefix of its events' ids, one of three.
    func isBelowLimit(_ kind: String, in ledger: any Ledger, at now: MonotonicTime) async throws(LedgerFault) -> Bool {
        if let count = counted(kind, at: now) { return count < maximum }
        let count = try await ledger.count(idsFrom: kind, upTo: maximum)
        known.withLock { $0[kind] = (count + 1, now + Self.age) }
        return count < maximum
    }

    private func counted(_ kind: String, at now: MonotonicTime) -> Int? {
        known.withLock { known in
            guard let last = known[kind], now < last.until else { return nil }
            known[kind] = (last.count + 1, last.until)
            return last.count
        }
    }
}
