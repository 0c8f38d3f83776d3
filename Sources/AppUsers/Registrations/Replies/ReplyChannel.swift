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
        package var cache = ReplyCache<CacheKey>.Limits()

        package init(network: Network) {
            self.network = network
        }
    }

    /// Posts a body to a webhook, within that time.
    package typealias Post =
        @Sendable (
            _ body: [UInt8], _ webhook: WebhookURL, _ time: Duration, _ wantsBody: Bool
        ) async throws(OutboundFault) -> HTTPResponse

    /// One who waits, in a place of all who do.
    private struct Waiting: Sendable {
        let answer = FirstAnswer<Result<DeviceAnswer, DeviceRefusal>>()
        let place: SharedSlots.Slot
    }

    private typealias Questions = PendingReplies<RegistrationID, Waiting>

    package struct CacheKey: Hashable, Sendable {
        let version: UInt64
        let question: DeviceQuestion
    }

    private struct State {
        var pending: Questions
        var cache: ReplyCache<CacheKey>
        /// Ends overdue questions, while any are open.
        var timer: Task<Void, Never>?
        var timers = 0
    }

    private let settings: Settings
    package let replies: AwaitedReplies
    private let slots: SharedSlots
    /// The posts in flight: a webhook that replies may still hold the post up.
    private let posts = SharedSlots(WebhookPoster.maximumInFlight)
    private let post: Post
    private let notePaid: @Sendable (PaidInvoice, RegistrationID) async -> Void
    private let random: RandomSource
    private let clock: MonotonicClock
    private let now: WallClock
    private let report: @Sendable (DeviceEvent, RegistrationID?) -> Void
    private let state: Guarded<State>

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
        state = Guarded(State(pending: PendingReplies(perUser: settings.perUser), cache: ReplyCache(settings.cache)))
    }

    /// How many payers wait, and for how many questions.
    package var waiting: (payers: Int, questions: Int) {
        state.withLock { ($0.pending.payers, $0.pending.questions) }
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
        switch try begin(question, to: registration, replyBase: replyBase, for: payer.network) {
        case .given(let answer): return answer
        case .asked(let id, let answer):
            guard let connection = payer.connection else { return try await answer.value().get() }
            return try await connection.waiting(for: answer.value) { [self] in leave(id, answer) }.get()
        }
    }

    /// The answer of a registration's device that is kept, if any.
    func known(_ question: DeviceQuestion, of registration: Registration) -> DeviceAnswer? {
        let key = CacheKey(version: registration.version, question: question)
        return state.withLock { $0.cache.answer(for: key, at: clock.now()) }
    }

    private enum Beginning {
        case given(DeviceAnswer)
        /// A question is open with that id; only one task may wait for its answer.
        case asked(ReplyID, FirstAnswer<Result<DeviceAnswer, DeviceRefusal>>)
    }

    /// Puts a question to a registration's device, unless the answer is kept or others wait for it already.
    private func begin(
        _ question: DeviceQuestion, to registration: Registration, replyBase: HTTPURL, for network: ClientNetwork?
    ) throws(DeviceRefusal) -> Beginning {
        guard let webhook = registration.webhook else { throw .unreachable }
        let id = try rethrowing(ReplyID(random: random), as: DeviceRefusal.stopping)
        let (start, key) = (clock.now(), CacheKey(version: registration.version, question: question))
        let deadline = start + settings.time
        let shares = shares(of: registration.id, at: webhook)
        var former: ReplyID?
        var slot: SharedSlots.Slot?
        defer { if let former { replies.close([former]) } }
        let beginning: Beginning
        do throws(DeviceRefusal) {
            beginning = try state.withLock { state throws(DeviceRefusal) in
                if let answer = state.cache.answer(for: key, at: start) { return .given(answer) }
                let waiting = Waiting(place: try place(in: slots, for: network, shares))
                // Before another question ends for this one.
                if !state.pending.shares(question, of: registration.id, version: registration.version) {
                    slot = try place(in: posts, for: network, shares)
                }
                switch state.pending.add(
                    waiting, in: network, asking: question, of: registration.id, version: registration.version, as: id,
                    from: start, until: deadline, most: slots.total)
                {
                case .wait(let known): return .asked(known, waiting.answer)
                case .busy: throw .busy
                case .ask: break
                case .askInstead(let ended): former = ended
                }
                guard replies.open(id, { [self] in await take($0, for: id) }) else {
                    _ = state.pending.end(id)
                    throw .stopping
                }
                return .asked(id, waiting.answer)
            }
        } catch {
            if error != .stopping { report(.crowded, registration.id) }
            throw error
        }
        if let slot {
            let url = replyBase.appendingPath(String(id.number))
            ask(question, at: webhook, in: slot, replyingAt: url, as: id, until: deadline, for: registration.id)
        }
        return beginning
    }

    /// Of which slots a registration's payers take theirs. Names and keys are free, and so are hosts.
    private func shares(of id: RegistrationID, at webhook: WebhookURL) -> [SharedSlots.Share] {
        let ofRegistration = SharedSlots.Share.part(20, of: "registration \(id.key.hexadecimal) \(id.domain)")
        return settings.trustsHosts
            ? [ofRegistration] : [ofRegistration, .asManyAsFree(of: "webhook \(webhook.url.host)")]
    }

    private func place(
        in slots: SharedSlots, for network: ClientNetwork?, _ shares: [SharedSlots.Share]
    ) throws(DeviceRefusal) -> SharedSlots.Slot {
        do throws(SharedSlots.Refusal) {
            return try slots.take(for: network, shares)
        } catch {
            throw error == .share ? .busy : .full
        }
    }

    /// Gives the place back of a payer who has gone. The device is still waited for.
    private func leave(_ id: ReplyID, _ answer: FirstAnswer<Result<DeviceAnswer, DeviceRefusal>>) {
        state.withLock { $0.pending.leave(id) { $0.answer === answer } }
        if answer.give(.failure(.left)) { report(.left, nil) }
    }

    /// Ends a question with a reply; false when it has ended. What the reply proves to be paid is kept, whether or not a payer
    /// still waits. Without one the service stops.
    private func take(_ reply: DeviceReply?, for id: ReplyID) async -> Bool {
        let moment = clock.now()
        guard let reply else { return end(id, .stopping) }
        guard let open = state.withLock({ $0.pending.take(id, at: moment) }) else { return false }
        do throws(ReplyFault) {
            let inspection = ReplyInspection(network: settings.network, now: now())
            let answer = try inspection.answer(in: reply.body, to: open.question)
            let key = CacheKey(version: open.version, question: open.question)
            state.withLock { $0.cache.keep(answer, for: key, maxAge: reply.maxAge, at: moment) }
            await note(answer, to: open, from: moment)
            report(.answered(after: moment - open.start), open.user)
            finish([open], .success(answer))
        } catch {
            report(.refused(error), open.user)
            if case .refused(let reason) = error {
                finish([open], .failure(.refused(reason)))
            } else {
                finish([open], .failure(.unusable))
            }
        }
        return true
    }

    /// Has a payment noted that an answer proves. A slow ledger holds up the payers for a moment only; noting goes on.
    private func note(
        _ answer: DeviceAnswer, to open: Questions.Open, from moment: MonotonicTime
    ) async {
        guard case .verify(let hash) = open.question, case .verify(let response) = answer,
            let preimage = response.preimage
        else { return }
        let paid = PaidInvoice(paymentHash: hash, preimage: preimage, bolt11: response.pr)
        let noting = Task { await notePaid(paid, open.user) }
        _ = await clock.race(until: moment + .seconds(1)) { await noting.value }
    }

    package func forget(_ id: RegistrationID) {
        finish(state.withLock { $0.pending.endAll(of: id) }, .failure(.unreachable))
    }

    private func ask(
        _ question: DeviceQuestion, at webhook: WebhookURL, in slot: SharedSlots.Slot, replyingAt replyURL: HTTPURL,
        as id: ReplyID, until deadline: MonotonicTime, for user: RegistrationID
    ) {
        report(.asked, user)
        startTimer()
        let body = question.envelope(replyURL: replyURL).serializedBytes()
        // Whoever answers a BOLT12 request by the response may take as long as a device.
        let wantsBody = question.isAnsweredByResponse
        Task { [self] in
            defer { withExtendedLifetime(slot) {} }
            // The registration may have gone meanwhile, or the time.
            guard await replies.share(id, within: settings.time) else { return }
            let time = min(wantsBody ? settings.time : settings.postTime, deadline - clock.now())
            do throws(OutboundFault) {
                let response = try await post(body, webhook, time, wantsBody)
                // Other bodies only say that the question is taken; its reply comes to the reply URL.
                if wantsBody, (200...299).contains(response.status), ReplyInspection.isOffered(response.body) {
                    _ = await take(DeviceReply(response.body), for: id)
                } else if response.status != 200 {
                    end(id, .unreachable, .unreachable("status \(response.status)"))
                }
            } catch {
                end(id, .unreachable, .unreachable(error.reason))
            }
        }
    }

    private func startTimer() {
        state.withLock { state in
            guard state.timer == nil else { return }
            state.timers += 1
            let number = state.timers
            state.timer = Task { [self] in
                while let deadline = nextDeadline(for: number), (try? await clock.sleep(deadline)) != nil {
                    let moment = clock.now()
                    let overdue = self.state.withLock { $0.pending.endOverdue(at: moment) }
                    for question in overdue { report(.silent, question.user) }
                    finish(overdue, .failure(.silent))
                }
            }
        }
    }

    /// When a timer is to end questions; nil when there are none, and for a timer that another one has replaced.
    private func nextDeadline(for timer: Int) -> MonotonicTime? {
        state.withLock { state in
            guard state.timers == timer else { return nil }
            let deadline = state.pending.nextDeadline()
            if deadline == nil { state.timer = nil }
            return deadline
        }
    }

    /// Ends a question without an answer; false when it has ended.
    @discardableResult
    private func end(_ id: ReplyID, _ refusal: DeviceRefusal, _ event: DeviceEvent? = nil) -> Bool {
        guard let open = state.withLock({ $0.pending.end(id) }) else { return false }
        if let event { report(event, open.user) }
        finish([open], .failure(refusal))
        return true
    }

    private func finish(_ ended: [Questions.Open], _ outcome: Result<DeviceAnswer, DeviceRefusal>) {
        state.withLock { state in
            guard state.pending.questions == 0 else { return }
            state.timer?.cancel()
            state.timer = nil
        }
        for payer in ended.lazy.flatMap(\.payers) { payer.answer.give(outcome) }
        replies.close(ended.map(\.id))
    }
}
