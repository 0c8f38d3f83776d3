package import Platform
package import ResponderModel

/// A question to a device, and all who wait for its answer.
///
/// It ends once: with the first reply, with a failure, at its deadline, or when the service stops. One that all have left stays
/// open, since its reply may prove a payment. Until it ends it counts for its device while somebody waits, and for ten seconds
/// in any case: it wakes a phone, so whoever asks and leaves does not free a place for the next one at once.
package final class OpenQuestion<Answer: Sendable>: Sendable {
    package typealias Outcome = Result<Answer, DeviceRefusal>

    private struct State {
        var wake: SharedSlots.Slot?
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
    ///   - read: makes the first reply an answer.
    ///   - noteEnd: called before those who wait are told, and before a reply is read: from then on nobody joins them. Is given
    ///     why there will be no reply.
    package init(
        _ id: ReplyID, holding wake: SharedSlots.Slot, among replies: AwaitedReplies, until deadline: MonotonicTime,
        clock: MonotonicClock, reading read: @escaping @Sendable (DeviceReply) async -> Outcome,
        noteEnd: @escaping @Sendable (DeviceRefusal?) -> Void = { _ in }
    ) throws(DeviceRefusal) {
        self.id = id
        self.deadline = deadline
        self.replies = replies
        self.clock = clock
        self.read = read
        self.noteEnd = noteEnd
        state = Guarded(State(wake: wake))
        let timer = Task { [self, start = clock.now()] in
            guard (try? await clock.sleep(min(deadline, start + Self.leastTime))) != nil else { return }
            state.withLock { state in
                state.isYoung = false
                if state.waiting.isEmpty { state.wake = nil }
            }
            if (try? await clock.sleep(deadline)) != nil { end(.silent) }
        }
        state.withLock { $0.timer = timer }
        guard replies.open(id, { [self] in await take($0) }) else {
            timer.cancel()
            throw .stopping
        }
    }

    /// Puts it to the device, once the other instances know of it and unless it has ended meanwhile.
    package func put(_ ask: @escaping @Sendable (OpenQuestion) async -> Void) {
        Task {
            if await replies.share(id, within: deadline - clock.now()) { await ask(self) }
        }
    }

    package var payers: Int { state.withLock { $0.waiting.count } }

    /// Waits for the answer: until the connection is closed, or the task canceled.
    package func answer(over connection: PayerConnection? = nil) async -> Outcome {
        let answer = FirstAnswer<Outcome>()
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiting.append(answer) }
            return state.outcome
        }
        if let outcome { return outcome }
        return await withTaskCancellationHandler {
            guard let connection else { return await answer.value() }
            return await connection.waiting(for: answer.value) { self.leave(answer) }
        } onCancel: {
            leave(answer)
        }
    }

    private func leave(_ answer: FirstAnswer<Outcome>) {
        state.withLock { state in
            state.waiting.removeAll { $0 === answer }
            if state.waiting.isEmpty, !state.isYoung { state.wake = nil }
        }
        answer.give(.failure(.left))
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
        let ended = state.withLock { state in
            defer { state = State(isYoung: false, isOpen: false, outcome: outcome) }
            return state
        }
        ended.timer?.cancel()
        for answer in ended.waiting { answer.give(outcome) }
        replies.close(id)
    }
}
