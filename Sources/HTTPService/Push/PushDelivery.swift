public import Contracts
import Devices
public import LightningCoding
public import LightningCrypto
import Notifications
public import Platform
public import Push
import Registrations

/// Passes notifications on to devices, as push messages.
///
/// A payer's question is pushed at once, and its sender learns whether the provider has taken it. An event is written down
/// first and sent by the outbox. An invoice request waits for the device's reply.
public final class PushDelivery: Sendable {
    /// What belongs to the installation.
    public struct Settings: Sendable {
        /// Where devices post their replies, without the id.
        public var replyBase: HTTPURL
        /// How long the provider may take to accept a question.
        public var pushTime = Duration.seconds(5)
        /// How long a device may take to reply.
        public var replyTime = Duration.seconds(60)
        /// How many requests wait for replies.
        public var maximumWaiting = 10_000
        /// What collapse ids are made with.
        public var collapseSecret: SecretBytes

        /// Creates settings.
        public init(replyBase: HTTPURL, collapseSecret: SecretBytes) {
            self.replyBase = replyBase
            self.collapseSecret = collapseSecret
        }
    }

    /// The path at which devices post their replies, without the id.
    public static let replyPath = "/api/v1/response"

    private let settings: Settings
    private let sender: PushSender
    private let devices: DeviceSender?
    private let outbox: any Outbox
    private let clock: MonotonicClock
    private let wallClock: WallClock
    private let random: RandomSource
    private let held: HeldReplies
    private let shared: (any SharedReplies)?
    private let noteFault: @Sendable (LedgerFault) -> Void
    private let report: @Sendable (PushReport) -> Void

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - settings: what belongs to the installation.
    ///   - sender: the providers.
    ///   - devices: sends to those that a handle stands for; nil when there are none.
    ///   - outbox: keeps events until they are sent.
    ///   - shared: where replies go that nobody waits for here; nil where there is one instance.
    ///   - clock: measures deadlines.
    ///   - wallClock: dates messages.
    ///   - random: draws reply ids.
    ///   - report: is told of what is kept, and of replies.
    ///   - noteFault: receives each fault that keeps replies from reaching another instance.
    public init(
        _ settings: Settings, sender: PushSender, devices: DeviceSender? = nil, outbox: any Outbox,
        shared: (any SharedReplies)? = nil, clock: MonotonicClock = .system,
        wallClock: @escaping WallClock = { .now() }, random: @escaping RandomSource = SystemRandom.bytes,
        report: @escaping @Sendable (PushReport) -> Void = { _ in },
        noteFault: @escaping @Sendable (LedgerFault) -> Void = { _ in }
    ) {
        self.settings = settings
        self.sender = sender
        self.devices = devices
        self.outbox = outbox
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
        self.shared = shared
        self.noteFault = noteFault
        self.report = report
        held = HeldReplies(maximum: settings.maximumWaiting)
    }

    /// Takes a notification.
    func answer(_ work: PushWork) async -> PushAnswer {
        switch work.request.template.answer {
        case .onceDurable: await kept(work)
        case .afterPush:
            await pushed(work.request, work.request.content).map { PushAnswer($0) } ?? .failed("no push in time")
        case .withReply: await replied(work.request)
        }
    }

    /// Sends what was kept.
    func carryOut(_ work: OutboxWork) async -> OutboxOutcome {
        guard let push = PushWork(payload: work.payload) else { return .refused("the entry cannot be read") }
        if let deadline = work.deadline, deadline <= wallClock() { return .dropped("it has expired") }
        let message = PushMessage(
            push.request.content, .alert, expires: work.deadline ?? work.createdAt, collapseID: collapseID(push.request)
        )
        return OutboxOutcome(await send(message, for: push.request))
    }

    /// Takes the reply of a device; false when nobody waits for it, here or elsewhere.
    func receive(_ reply: [UInt8], for id: ReplyID) async -> Bool {
        if held.receive(reply, for: id.digest) { return true }
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

    private func kept(_ work: PushWork) async -> PushAnswer {
        let now = wallClock()
        do {
            try await outbox.add(
                OutboxWork(
                    id: .push(random: random), kind: .push, account: nil, payload: work.payload,
                    createdAt: now, deadline: now.adding(seconds: work.request.template.lifetime),
                    state: .pending(dueAt: now)), heldBy: nil)
            report(.queued)
            return .taken
        } catch let fault as LedgerFault {
            return .failed(fault.reason)
        } catch {
            return .failed("the system has no random bytes")
        }
    }

    /// The end of a push for which somebody waits; nil when there was none in time.
    private func pushed(_ request: NotifyRequest, _ content: PushContent) async -> PushOutcome? {
        let message = PushMessage(content, .reply, expires: wallClock().adding(seconds: request.template.lifetime))
        return await clock.race(until: clock.now() + settings.pushTime) { await self.send(message, for: request) }
    }

    /// Sends a message to the device of a handle, or straight to a token.
    private func send(_ message: PushMessage, for request: NotifyRequest) async -> PushOutcome {
        if let devices, DeviceHandles.isHandle(request.token) {
            return await devices.send(message, toHandle: request.token)
        }
        guard let target = sender.target(request.platform, token: request.token) else {
            return .refused("no push provider is configured that takes the device's token")
        }
        return await sender.send(message, to: target)
    }

    private func replied(_ request: NotifyRequest) async -> PushAnswer {
        guard let (id, reply) = held.open(random) else { return .notAnswered("too many requests wait for devices") }
        let deadline = clock.now() + settings.replyTime
        defer { close(id.digest) }
        await expectElsewhere(id.digest)
        var content = request.content
        content.payload.append("reply_url", .string(settings.replyBase.appendingPath(String(id.number)).text))
        switch await pushed(request, content) {
        case .accepted: break
        case .gone: return .notAnswered("the device cannot be reached any more")
        case .tooLarge: return .notAnswered("the invoice request is too large for the device")
        case .parked, .refused, .later, nil: return .notAnswered("the device cannot be reached now")
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

    private func collapseID(_ request: NotifyRequest) -> CollapseID? {
        guard let member = request.template.subject, let subject = request.content.payload[member]?.string else {
            return nil
        }
        return CollapseID(
            secret: settings.collapseSecret, identity: request.token, topic: request.template.type, key: subject)
    }
}

/// What the sender of a notification is told.
enum PushAnswer: Hashable, Sendable {
    /// The provider has the message, or it is kept until it does.
    case taken
    /// The device does not exist any more.
    case gone
    /// The device has replied.
    case replied([UInt8])
    /// The device cannot reply; the text is for the payer.
    case notAnswered(String)
    /// The device has not replied.
    case silent
    /// The message was not taken; the text is for the log.
    case failed(String)

    init(_ outcome: PushOutcome) {
        switch outcome {
        case .accepted: self = .taken
        case .gone: self = .gone
        case .parked(let reason), .refused(let reason), .later(_, let reason): self = .failed(reason)
        case .tooLarge: self = .failed("the message is too large for the provider")
        }
    }
}
