import LNURL
package import LightningCoding
package import LightningCrypto
package import OutboundHTTP
package import Platform
package import ResponderModel

/// Asks devices over their webhooks, and brings their replies to the payers who wait.
///
/// A question has one deadline, which includes the post to the webhook. The first reply ends it.
package final class ReplyChannel: Sendable {
    package struct Settings: Sendable {
        package var network: Network
        /// How long a payer waits at most.
        package var time = Duration.seconds(30)
        package var postTime = Duration.seconds(10)
        /// How many questions of a kind to one device are open at once.
        package var perUser = 5
        /// Whether the hosts of webhooks are those that the operator has named: then none is limited by itself.
        package var trustsHosts = false

        package init(network: Network) {
            self.network = network
        }
    }

    /// Posts a body to a webhook, within that time.
    package typealias Post =
        @Sendable (
            _ body: [UInt8], _ webhook: WebhookURL, _ time: Duration, _ wantsBody: Bool
        ) async throws(OutboundFault) -> HTTPResponse

    private typealias Open = OpenQuestion<DeviceAnswer>

    private struct CacheKey: Hashable {
        let version: UInt64
        let question: DeviceQuestion
    }

    private struct Key: Hashable {
        let registration: RegistrationID
        let cached: CacheKey
        /// Of a question that is not shared.
        let only: ReplyID?
    }

    private struct State {
        var open: [Key: Open] = [:]
        var cache = ReplyCache<CacheKey>()
    }

    private let settings: Settings
    package let replies: AwaitedReplies
    private let slots: SharedSlots
    /// The open questions, also those that all have left: four times as many as payers may wait.
    private let questions = SharedSlots(0)
    /// The posts in flight: a webhook that replies may still hold the post up.
    private let posts = SharedSlots(WebhookPoster.maximumInFlight)
    private let post: Post
    private let notePaid: @Sendable (PaidInvoice, RegistrationID) async -> Void
    private let random: RandomSource
    private let clock: MonotonicClock
    private let now: WallClock
    private let report: @Sendable (DeviceEvent, RegistrationID?) -> Void
    private let state = Guarded(State())

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - replies: those that are awaited at this instance.
    ///   - slots: those of all who wait. A registration has a twentieth of them, a webhook's host as many as are free.
    ///   - notePaid: keeps what a device proves to be paid, before the payers are told.
    ///   - report: called with what happens to questions.
    package init(
        _ settings: Settings, replies: AwaitedReplies, slots: SharedSlots, post: @escaping Post,
        notePaid: @escaping @Sendable (PaidInvoice, RegistrationID) async -> Void,
        random: @escaping RandomSource = SystemRandom.bytes, clock: MonotonicClock = .system,
        now: @escaping WallClock = UnixTime.now,
        report: @escaping @Sendable (DeviceEvent, RegistrationID?) -> Void = { _, _ in }
    ) {
        self.settings = settings
        self.replies = replies
        self.slots = slots
        self.post = post
        self.notePaid = notePaid
        self.random = random
        self.clock = clock
        self.now = now
        self.report = report
    }

    /// How many payers wait, and how many questions are open.
    package var waiting: (payers: Int, questions: Int) {
        let open = state.withLock { Array($0.open.values) }
        return (open.reduce(0) { $0 + $1.payers }, open.count)
    }

    /// The answer of a registration's device: one that is kept, or else one that it gives now, to this payer and to others
    /// who wait for it already.
    ///
    /// - Parameters:
    ///   - replyBase: where its reply goes, without the id.
    ///   - payer: who asks. One whose connection is closed waits no longer.
    package func answer(
        to question: DeviceQuestion, by registration: Registration, replyBase: HTTPURL, for payer: Payer = Payer()
    ) async throws(DeviceRefusal) -> DeviceAnswer {
        guard let webhook = registration.webhook else { throw .unreachable }
        if let answer = known(question, of: registration) { return answer }
        let (place, open, ask): (SharedSlots.Slot, Open, Open.Ask?)
        do throws(DeviceRefusal) {
            let shares = shares(of: registration.id, at: webhook)
            place = try rethrowing(slots.take(for: payer.network, shares)) { DeviceRefusal($0) }
            (open, ask) = try self.open(question, to: registration, at: webhook, replyBase, for: payer.network, shares)
        } catch {
            if error != .stopping { report(.crowded, registration.id) }
            throw error
        }
        defer { withExtendedLifetime(place) {} }
        let outcome = await open.answer(over: payer.connection, asking: ask)
        if case .failure(.left) = outcome { report(.left, nil) }
        return try outcome.get()
    }

    /// The answer of a registration's device that is kept, if any.
    func known(_ question: DeviceQuestion, of registration: Registration) -> DeviceAnswer? {
        let key = CacheKey(version: registration.version, question: question)
        return state.withLock { $0.cache.answer(for: key, at: clock.now()) }
    }

    /// The question that others wait for already, or else a new one, and what puts that to the device.
    private func open(
        _ question: DeviceQuestion, to registration: Registration, at webhook: WebhookURL, _ replyBase: HTTPURL,
        for network: ClientNetwork?, _ shares: [SharedSlots.Share]
    ) throws(DeviceRefusal) -> (Open, Open.Ask?) {
        let user = registration.id
        let id = try rethrowing(ReplyID(random: random), as: DeviceRefusal.stopping)
        let cached = CacheKey(version: registration.version, question: question)
        let key = Key(registration: user, cached: cached, only: question.isShared ? nil : id)
        let start = clock.now()
        let (open, slot) = try state.withLock { state throws(DeviceRefusal) -> (Open, SharedSlots.Slot?) in
            if let open = state.open[key] { return (open, nil) }
            let slot = try rethrowing(posts.take(for: network, shares)) { DeviceRefusal($0) }
            // Fewer may wait where the system allows fewer connections.
            questions.total = 4 * slots.total
            let kept = try rethrowing(questions.take(for: network, shares)) { DeviceRefusal($0) }
            let device = "\(question.kind.rawValue) \(user.key.hexadecimal) \(user.domain)"
            let open = try Open(
                id, holding: replies.wake(device, most: settings.perUser, for: network), kept, among: replies,
                until: start + settings.time, clock: clock,
                reading: { [self] in await answer(in: $0, to: question, cached, of: user, since: start) },
                noteEnd: { [self] refusal in
                    self.state.withLock { $0.open[key] = nil }
                    if refusal == .silent { report(.silent, user) }
                })
            state.open[key] = open
            return (open, slot)
        }
        guard let slot else { return (open, nil) }
        report(.asked, user)
        let url = replyBase.appendingPath(String(id.number))
        return (
            open,
            { [self] in
                // The payer who waits holds on to this closure.
                defer { slot.free() }
                await ask(question, $0, at: webhook, replyingAt: url, for: user)
            }
        )
    }

    /// Of which slots a registration's payers take theirs. Names and keys are free, and so are hosts.
    private func shares(of id: RegistrationID, at webhook: WebhookURL) -> [SharedSlots.Share] {
        let ofRegistration = SharedSlots.Share.part(20, of: "registration \(id.key.hexadecimal) \(id.domain)")
        return settings.trustsHosts
            ? [ofRegistration] : [ofRegistration, .asManyAsFree(of: "webhook \(webhook.url.host)")]
    }

    /// What a reply is to the payers. What it proves to be paid is kept, whether or not one still waits.
    private func answer(
        in reply: DeviceReply, to question: DeviceQuestion, _ key: CacheKey, of user: RegistrationID,
        since start: MonotonicTime
    ) async -> Open.Outcome {
        let moment = clock.now()
        do throws(ReplyFault) {
            let inspection = ReplyInspection(network: settings.network, now: now())
            let answer = try inspection.answer(in: reply.body, to: question)
            state.withLock { $0.cache.keep(answer, for: key, maxAge: reply.maxAge, at: moment) }
            await note(answer, to: question, by: user, from: moment)
            report(.answered(after: moment - start), user)
            return .success(answer)
        } catch {
            report(.refused(error), user)
            if case .refused(let reason) = error { return .failure(.refused(reason)) }
            return .failure(.unusable)
        }
    }

    /// Has a payment noted that an answer proves. A slow ledger holds up the payers for a moment only; noting goes on.
    private func note(
        _ answer: DeviceAnswer, to question: DeviceQuestion, by user: RegistrationID, from moment: MonotonicTime
    ) async {
        guard case .verify(let hash) = question, case .verify(let response) = answer,
            let preimage = response.preimage
        else { return }
        let paid = PaidInvoice(paymentHash: hash, preimage: preimage, bolt11: response.pr)
        let noting = Task { await notePaid(paid, user) }
        _ = await clock.race(until: moment + .seconds(1)) { await noting.value }
    }

    package func forget(_ id: RegistrationID) {
        for open in state.withLock({ $0.open.filter { $0.key.registration == id }.values }) { open.end(.unreachable) }
    }

    /// What the sender of a BOLT12 request is told for good; otherwise a later request may be answered.
    private static func refusal(of status: Int) -> DeviceRefusal {
        switch status {
        case 410: .refused("the device can no longer be reached")
        case 413: .refused("the invoice request is too large for the device")
        default: .unreachable
        }
    }

    private func ask(
        _ question: DeviceQuestion, _ open: Open, at webhook: WebhookURL, replyingAt replyURL: HTTPURL,
        for user: RegistrationID
    ) async {
        // Whoever answers a BOLT12 request by the response may take as long as a device.
        let wantsBody = question.isAnsweredByResponse
        let time = min(wantsBody ? settings.time : settings.postTime, open.deadline - clock.now())
        do throws(OutboundFault) {
            let body = question.envelope(replyURL: replyURL).serializedBytes()
            let response = try await post(body, webhook, time, wantsBody)
            // Other bodies only say that the question is taken; its reply comes to the reply URL.
            if wantsBody, (200...299).contains(response.status), ReplyInspection.isOffered(response.body) {
                _ = await open.take(DeviceReply(response.body))
            } else if response.status != 200 {
                let refusal = wantsBody ? Self.refusal(of: response.status) : .unreachable
                open.end(refusal) { report(.unreachable("status \(response.status)"), user) }
            }
        } catch {
            open.end(.unreachable) { report(.unreachable(error.reason), user) }
        }
    }
}
