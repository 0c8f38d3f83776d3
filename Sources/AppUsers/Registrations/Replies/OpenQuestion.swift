package import Platform
package import ResponderModel

/// A question to a device, and all who wait for its answer.
///
/// It ends once: with the first reply, with a failure, at its deadline, or when the service stops. Until it ends it counts for
/// its device while somebody waits, and for ten seconds in any case: it wakes a phone, so whoever asks and leaves does not free
/// a place for the next one at once.
package final class OpenQuestion<Answer: Sendable>: Sendable {
    package typealias Outcome = Result<Answer, DeviceRefusal>
    package typealias Ask = @Sendable (OpenQuestion) async -> Void

    private struct State {
        var wake: SharedSlots.Slot?
        var slot: SharedSlots.Slot?
        var isYoung = true
        var waiting: [FirstAnswer<Outcome>] = []
        var isOpen = true
        var outcome: Outcome?
        var timer: Task<Void, Never>?
    }

    /// How long a question counts that all have left.
    private static var leastTime: Duration { .seconds(10) }

    package let id: ReplyID
    package let deadline: MonotonicTime
    private let endsWhenLeft: Bool
    private let replies: AwaitedReplies
    private let clock: MonotonicClock
    private let read: @Sendable (DeviceReply) async -> Outcome
    private let noteEnd: @Sendable (DeviceRefusal?) -> Void
    private let state: Guarded<State>

    /// Opens a question.
    ///
    /// - Parameters:
    ///   - id: unused until now.
    ///   - wake: its place among the questions to the device.
    ///   - slot: its place among all questions, until it ends.
    ///   - endsWhenLeft: whether it ends once it counts no longer; otherwise it stays open, for what a reply proves.
    ///   - read: makes the first reply an answer.
    ///   - noteEnd: called before those who wait are told, and before a reply is read: from then on nobody joins them. Is given
    ///     why there will be no reply.
    package init(
        _ id: ReplyID, holding wake: SharedSlots.Slot, _ slot: SharedSlots.Slot, endsWhenLeft: Bool = false,
        among replies: AwaitedReplies, until deadline: MonotonicTime, clock: MonotonicClock,
        reading read: @escaping @Sendable (DeviceReply) async -> Outcome,
        noteEnd: @escaping @Sendable (DeviceRefusal?) -> Void = { _ in }
    ) throws(DeviceRefusal) {
        self.id = id
        self.deadline = deadline
        self.endsWhenLeft = endsWhenLeft
        self.replies = replies
        self.clock = clock
        self.read = read
        self.noteEnd = noteEnd
        state = Guarded(State(wake: wake, slot: slot))
        guard replies.open(id, { [self] in await take($0) }) else { throw .stopping }
        let timer = Task { [self, start = clock.now()] in
            guard (try? await clock.sleep(min(deadline, start + Self.leastTime))) != nil else { return }
            state.withLock { $0.isYoung = false }
            noteLeft()
            if (try? await clock.sleep(deadline)) != nil { end(.silent) }
        }
        let isOpen = state.withLock { state in
            state.timer = timer
            return state.isOpen
        }
        if !isOpen { timer.cancel() }
    }

    package var payers: Int { state.withLock { $0.waiting.count } }

    /// Waits for the answer: until the connection is closed, or the task canceled.
    ///
    /// - Parameter ask: puts the question to the device; called once the other instances know of it, unless it has ended
    ///   meanwhile. nil where that is done already.
    package func answer(over connection: PayerConnection? = nil, asking ask: Ask? = nil) async -> Outcome {
        let answer = FirstAnswer<Outcome>()
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiting.append(answer) }
            return state.outcome
        }
        if let outcome { return outcome }
        return await withTaskCancellationHandler {
            if let ask {
                Task {
                    if await replies.share(id, within: deadline - clock.now()) { await ask(self) }
                }
            }
            guard let connection else { return await answer.value() }
            return await connection.waiting(for: answer.value) { self.leave(answer) }
        } onCancel: {
            leave(answer)
        }
    }

    private func leave(_ answer: FirstAnswer<Outcome>) {
        state.withLock { $0.waiting.removeAll { $0 === answer } }
        answer.give(.failure(.left))
        noteLeft()
    }

    private func noteLeft() {
        let isLeft = state.withLock { state in
            guard state.waiting.isEmpty, !state.isYoung else { return false }
            state.wake = nil
            return true
        }
        if isLeft, endsWhenLeft { end(.left) }
    }

    /// Takes a reply; nil when the service stops. False when it has ended, or its deadline has passed.
    package func take(_ reply: DeviceReply?) async -> Bool {
        guard let reply else { return end(.stopping) }
        guard clock.now() < deadline, close(nil) else { return false }
        finish(await read(reply))
        return true
    }

    /// Ends it without an answer; false when it has ended.
    ///
    /// - Parameter note: called before those who wait are told.
    @discardableResult
    package func end(_ refusal: DeviceRefusal, noting note: () -> Void = {}) -> Bool {
        guard close(refusal) else { return false }
        note()
        finish(.failure(refusal))
        return true
    }

    private func close(_ refusal: DeviceRefusal?) -> Bool {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if wasOpen { noteEnd(refusal) }
        return wasOpen
    }

    private func finish(_ outcome: Outcome) {
        let (waiting, timer) = state.withLock { state in
            defer { state = State(isYoung: false, isOpen: false, outcome: outcome) }
            return (state.waiting, state.timer)
        }
        timer?.cancel()
        for answer in waiting { answer.give(outcome) }
        replies.close(id)
    }
}
