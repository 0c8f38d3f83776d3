package import LightningCoding
package import LightningCrypto
import OutboundHTTP
package import Platform
package import Registrations
package import ResponderCore
package import ResponderModel

/// Passes notifications on to devices, as push messages.
///
/// A payer's question is pushed at once, and its sender learns whether the provider has taken it. An event is written down
/// first and sent by the outbox. An invoice request waits for the device's reply.
package final class PushDelivery: Sendable {
    package struct Settings: Sendable {
        /// Where devices post their replies, without the id.
        package var replyBase: HTTPURL
        /// How long the provider may take to accept a question: as long as the sender of a webhook waits.
        package var pushTime = Duration.seconds(10)
        package var replyTime = Duration.seconds(60)
        /// How many events are kept until they are sent, or parked: of registered devices, of tokens of Apple and Google, and
        /// of subscriptions of Web Push, each.
        package var maximumKept = 40_000
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
    private let slots: SharedSlots
    /// The requests that wait for a reply, also those whose senders have left: four times as many as may wait.
    private let questions = SharedSlots(0)
    /// The questions on their way to push services of Web Push: no more than their client sends at once, or some would wait
    /// there for those to services that hang.
    private let webQuestions = SharedSlots(WebPushProvider.maximumInFlight)
    package let replies: AwaitedReplies
    let report: @Sendable (PushReport) -> Void

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - settings: what belongs to the installation.
    ///   - sender: the providers.
    ///   - replies: those that are awaited at this instance.
    ///   - slots: those of all who wait. A host of Web Push has as many of them as are free.
    ///   - devices: sends to those that a handle stands for; nil when there are none.
    ///   - ledger: keeps events until they are sent.
    ///   - clock: measures deadlines.
    ///   - wallClock: dates messages.
    ///   - random: draws reply ids.
    ///   - report: is told of what is kept, and of replies.
    package init(
        _ settings: Settings, sender: PushSender, replies: AwaitedReplies, slots: SharedSlots,
        devices: DeviceSender? = nil, ledger: any Ledger, clock: MonotonicClock = .system,
        wallClock: @escaping WallClock = { .now() }, random: @escaping RandomSource = SystemRandom.bytes,
        report: @escaping @Sendable (PushReport) -> Void = { _ in }
    ) {
        self.settings = settings
        self.sender = sender
        self.replies = replies
        self.slots = slots
        self.devices = devices
        self.ledger = ledger
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
        self.report = report
        backlog = PushBacklog(maximum: settings.maximumKept)
    }

    /// Takes a notification of a client in that network. Once its connection is closed, nobody waits for what is not written
    /// down.
    package func answer(
        _ request: NotifyRequest, from network: ClientNetwork?, over connection: PayerConnection = PayerConnection()
    ) async -> PushAnswer {
        if request.template.answer == .onceDurable { return await keep(request, from: network) }
        let asking = Task { await ask(request, from: network) }
        return await connection.waiting(for: { await asking.value }) { asking.cancel() }
    }

    /// Posts questions to webhooks, but for those whose webhook is this service's own endpoint: these are taken here, without a
    /// connection to ourselves. While the ledger fails, which hosts are ours is not known, and everything is posted.
    package func posting(
        for accounts: AccountDirectory, otherwise post: @escaping ReplyChannel.Post
    ) -> ReplyChannel.Post {
        { [self] body, webhook, time, wantsBody throws(OutboundFault) in
            guard webhook.url.path.isExactly(Gateway.pushPath),
                (try? await accounts.domains())?.isOwnHost(of: webhook.url) == true
            else { return try await post(body, webhook, time, wantsBody) }
            guard let request = try? NotifyRequest(query: webhook.url.queryItems, body: body) else {
                return HTTPResponse(status: 400, body: [])
            }
            let connection = PayerConnection()
            let answer = await clock.race(until: clock.now() + time) {
                await self.answer(request, from: nil, over: connection)
            }
            guard let (status, body) = answer?.response else {
                connection.close()
                throw .timeout(requestSent: true)
            }
            return HTTPResponse(status: status, body: body)
        }
    }

    private func ask(_ request: NotifyRequest, from network: ClientNetwork?) async -> PushAnswer {
        // The ledger may take time too.
        let end = clock.now() + (request.template.answer == .withReply ? settings.replyTime : settings.pushTime)
        do throws(NoRecipient) {
            let recipient = try await recipient(of: request)
            let (slot, kept, push): (SharedSlots.Slot, SharedSlots.Slot?, SharedSlots.Slot?)
            do throws(SharedSlots.Refusal) {
                let shares = shares(of: recipient)
                slot = try slots.take(for: network, shares)
                // Fewer may wait where the system allows fewer connections.
                questions.total = 4 * slots.total
                kept = request.template.answer == .withReply ? try questions.take(for: network, shares) : nil
                push = shares.isEmpty ? nil : try webQuestions.take(for: network, shares)
            } catch {
                return refusal(of: request, error)
            }
            defer { withExtendedLifetime((slot, push)) {} }
            if let kept { return await replied(request, by: recipient, holding: kept, push, until: end) }
            return await pushed(request, request.content, to: recipient, until: end).map { PushAnswer($0) }
                ?? .failed("no push in time")
        } catch {
            return PushAnswer(error)
        }
    }

    /// How many requests wait for the reply of one device: each of them wakes it.
    private static let mostReplies = 5

    /// Of which slots a question takes its own; of none unless it goes to Web Push.
    private func shares(of recipient: PushRecipient) -> [SharedSlots.Share] {
        guard case .webPush(let subscription) = recipient.target else { return [] }
        return [.asManyAsFree(of: "push service \(subscription.endpoint.authority)")]
    }

    private func refusal(of request: NotifyRequest, _ refusal: SharedSlots.Refusal) -> PushAnswer {
        guard request.template.answer == .withReply else { return .tooMany }
        switch refusal {
        case .full: return .notAnswered("too many requests wait for devices")
        case .network: return .notAnswered("too many requests of this network wait for devices")
        case .share: return .notAnswered("too many requests wait for its push service")
        }
    }

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
            let device = try await NoRecipient.asking(await devices.device(of: request.token))
            guard let device, let address = device.address else { throw .gone }
            return .device(device, address)
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

    /// - Parameters:
    ///   - slot: its place among all questions.
    ///   - push: its place among those on their way, which is free again once it is sent.
    private func replied(
        _ request: NotifyRequest, by recipient: PushRecipient, holding slot: SharedSlots.Slot,
        _ push: SharedSlots.Slot?, until deadline: MonotonicTime
    ) async -> PushAnswer {
        let question: OpenQuestion<[UInt8]>
        do throws(DeviceRefusal) {
            let id = try rethrowing(ReplyID(random: random), as: DeviceRefusal.stopping)
            let wake = try replies.wake("push " + Hexadecimal.encode(recipient.digest), most: Self.mostReplies)
            question = try OpenQuestion(
                id, holding: wake, slot, endsWhenLeft: true, among: replies, until: deadline, clock: clock,
                reading: { [report, clock, start = clock.now()] reply in
                    report(.replied(after: clock.now() - start))
                    return .success(reply.body)
                },
                noteEnd: { [report] refusal in
                    switch refusal {
                    case .left, .silent, .stopping: report(.silent)
                    default: break
                    }
                })
        } catch {
            return .notAnswered(
                error == .stopping ? "the service cannot answer now" : "too many requests wait for this device")
        }
        let outcome = await question.answer { [self] question in
            // Also while the push goes on for one who has left.
            defer {
                withExtendedLifetime(slot) {}
                push?.free()
            }
            guard question.payers > 0 else {
                question.end(.refused("its sender has left"))
                return
            }
            var content = request.content
            let replyURL = settings.replyBase.appendingPath(String(question.id.number))
            content.payload.append("reply_url", .string(replyURL.text))
            switch await pushed(request, content, to: recipient, until: deadline) {
            case .accepted: break
            case .gone: question.end(.refused("the device can no longer be reached"))
            case .tooLarge: question.end(.refused("the invoice request is too large for the device"))
            case .parked, .refused, .later, .paused, nil: question.end(.refused("the device cannot be reached now"))
            }
        }
        switch outcome {
        case .success(let reply): return .replied(reply)
        case .failure(.refused(let text)): return .notAnswered(text)
        case .failure: return .silent
        }
    }
}

/// Limits how many events of each kind of recipient are kept: anybody can post them.
struct PushBacklog: Sendable {
    private let maximum: Int
    private let known = Guarded<[OutboxSubject: (count: Int, until: MonotonicTime)]>([:])
    /// An eighth of all for each network at once, and in an hour. They count when they are taken, sent or not: which of them are
    /// still kept, only the ledger knows.
    private let networks: Guarded<NetworkRateLimiter>?

    /// For how long a count of the ledger is used.
    private static let age = Duration.seconds(5)

    init(maximum: Int) {
        self.maximum = maximum
        let share = max(1, maximum / 8)
        networks = RateLimit(burst: share, interval: .seconds(3_600) / share).map { Guarded(NetworkRateLimiter($0)) }
    }

    /// Counts an event of a network; false when it has kept its part.
    func take(for network: ClientNetwork?, at now: MonotonicTime) -> Bool {
        guard let network, let networks else { return true }
        return networks.withLock { $0.take(network, at: now) } == nil
    }

    /// Takes back the count of an event that is not kept.
    func putBack(_ network: ClientNetwork?) {
        if let network { networks?.withLock { $0.putBack(network) } }
    }

    /// Whether one more may be kept.
    ///
    /// - Parameter kind: the kind of recipient, one of three.
    func isBelowLimit(
        _ kind: OutboxSubject, in ledger: any Ledger, at now: MonotonicTime
    ) async throws(LedgerFault) -> Bool {
        if let count = counted(kind, at: now) { return count < maximum }
        let count = try await ledger.count(.push, about: kind, upTo: maximum)
        known.withLock { $0[kind] = (count + 1, now + Self.age) }
        return count < maximum
    }

    private func counted(_ kind: OutboxSubject, at now: MonotonicTime) -> Int? {
        known.withLock { known in
            guard let last = known[kind], now < last.until else { return nil }
            known[kind] = (last.count + 1, last.until)
            return last.count
        }
    }
}
