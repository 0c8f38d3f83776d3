import LNURL
package import Platform

/// Which payers wait for which answers, without a clock or any waiting of its own.
///
/// A question is put to a device once for all who ask it while it is open, except that each payer needs an invoice of
/// their own. It ends once: with the first reply, with a failure, or at its deadline. One that every payer has left is still
/// open, since a reply may prove a payment, until there is one question too many. Since each wakes a device, whoever asks
/// and leaves does not free a place for the next one at once, and the payers of one network have no more than their share.
package struct PendingReplies<User: Hashable & Sendable, Payer: Sendable>: Sendable {
    package struct Open: Sendable {
        package let id: ReplyID
        package let user: User
        package let version: UInt64
        package let question: DeviceQuestion
        package let start: MonotonicTime
        package let deadline: MonotonicTime
        /// Of whoever asked first, the widest; nil when that is not known.
        fileprivate let network: ClientNetwork?
        package fileprivate(set) var payers: [Payer]
        /// Whether it is listed among those that every payer has left.
        fileprivate var isListed = false
    }

    package enum Admission: Hashable, Sendable {
        /// The device is to be asked; its reply bears the id given.
        case ask
        /// The same, and a question that every payer had left has ended for it.
        case askInstead(of: ReplyID)
        /// It was asked already, with that id; its answer is this payer's too.
        case wait(ReplyID)
        case busy
    }

    private struct Shared: Hashable {
        let user: User
        let version: UInt64
        let question: DeviceQuestion
    }

    private struct Counted: Hashable {
        let user: User
        let kind: DeviceQuestion.Kind
    }

    private let perUser: Int
    private var open: [ReplyID: Open] = [:]
    private var shared: [Shared: ReplyID] = [:]
    /// In the order in which they were asked.
    private var openOf: [Counted: [ReplyID]] = [:]
    /// Questions that every payer has left, each once; some have ended since, or have payers again.
    private var left: ArraySlice<ReplyID> = []
    /// Open questions as they were asked, which is the order of their deadlines. One that has ended goes when it comes
    /// first.
    private var order: ArraySlice<ReplyID> = []
    package private(set) var payers = 0

    /// How old a question that every payer has left is before it ends for another one to the same device.
    static var leastAge: Duration { .seconds(10) }

    /// - Parameter perUser: how many requests for invoices to one user's device are open at once, and how many questions
    ///   whether invoices are paid. The limits and metadata are one question for all who ask.
    package init(perUser: Int) {
        self.perUser = perUser
    }

    package var questions: Int { open.count }

    /// Whether a payer who asks this waits for a question that is open already.
    package func shares(_ question: DeviceQuestion, of user: User, version: UInt64) -> Bool {
        shared[Shared(user: user, version: version, question: question)] != nil
    }

    /// Adds a payer.
    ///
    /// - Parameters:
    ///   - network: where the payer asks from; nil when that is not known.
    ///   - id: unused until now.
    ///   - start: the present moment.
    ///   - deadline: of the question, if it is a new one; not before those of earlier ones.
    ///   - most: how many questions are open at most, unless payers wait for all of them.
    package mutating func add(
        _ payer: Payer, in network: ClientNetwork? = nil, asking question: DeviceQuestion, of user: User,
        version: UInt64, as id: ReplyID, from start: MonotonicTime, until deadline: MonotonicTime, most: Int
    ) -> Admission {
        let key = Shared(user: user, version: version, question: question)
        if let known = shared[key] {
            open[known]?.payers.append(payer)
            payers += 1
            return .wait(known)
        }
        let counted = Counted(user: user, kind: question.kind)
        let network = network?.nested.last
        let others = question.kind == .info ? [] : openOf[counted, default: []].compactMap { open[$0] }
        let own = network.map { network in others.filter { $0.network == network } } ?? []
        let isAtShare = own.count >= (perUser + 1) / 2
        var former: ReplyID?
        if isAtShare || others.count >= perUser {
            former =
                (isAtShare ? own : others)
                .first { $0.payers.isEmpty && start - $0.start >= Self.leastAge }?.id
            guard former != nil else { return .busy }
        } else if open.count >= most {
            former = nextLeft()
        }
        if let former { _ = end(former) }
        open[id] = Open(
            id: id, user: user, version: version, question: question, start: start, deadline: deadline,
            network: network, payers: [payer])
        if question.isShared { shared[key] = id }
        openOf[counted, default: []].append(id)
        payers += 1
        order.append(id)
        return former.map { .askInstead(of: $0) } ?? .ask
    }

    /// Takes the question from the list that every payer has left first.
    private mutating func nextLeft() -> ReplyID? {
        while let id = left.popFirst() {
            guard let question = open[id] else { continue }
            if question.payers.isEmpty { return id }
            open[id]?.isListed = false
        }
        return nil
    }

    /// When the first of the open questions ends; nil when there is none.
    package mutating func nextDeadline() -> MonotonicTime? {
        while let id = order.first {
            if let question = open[id] { return question.deadline }
            order.removeFirst()
        }
        return nil
    }

    package mutating func endOverdue(at now: MonotonicTime) -> [Open] {
        var ended: [Open] = []
        while let deadline = nextDeadline(), deadline <= now, let question = order.popFirst().flatMap({ end($0) }) {
            ended.append(question)
        }
        return ended
    }

    /// Takes the question that a reply is to, unless it has ended, or its deadline has passed.
    package mutating func take(_ id: ReplyID, at now: MonotonicTime) -> Open? {
        guard let question = open[id], now < question.deadline else { return nil }
        return end(id)
    }

    /// Ends a question; nil when it has ended.
    package mutating func end(_ id: ReplyID) -> Open? {
        guard let ended = open.removeValue(forKey: id) else { return nil }
        let key = Shared(user: ended.user, version: ended.version, question: ended.question)
        if shared[key] == id { shared[key] = nil }
        let counted = Counted(user: ended.user, kind: ended.question.kind)
        openOf[counted]?.removeAll { $0 == id }
        if openOf[counted]?.isEmpty ?? false { openOf[counted] = nil }
        payers -= ended.payers.count
        return ended
    }

    /// Removes a payer who has gone. The question stays open: the device has been woken, and its reply may prove a payment.
    package mutating func leave(_ id: ReplyID, where isPayer: (Payer) -> Bool) {
        guard let question = open[id], let place = question.payers.firstIndex(where: isPayer) else { return }
        open[id]?.payers.remove(at: place)
        payers -= 1
        guard question.payers.count == 1, !question.isListed else { return }
        open[id]?.isListed = true
        left.append(id)
        // As often as half of them have ended, so that each is looked at twice at most.
        if left.count > 2 * open.count { left.removeAll { open[$0] == nil } }
    }

    /// Ends all questions, or those to one user's device.
    package mutating func endAll(of user: User? = nil) -> [Open] {
        let ids = open.filter { user == nil || $0.value.user == user }.keys
        return ids.compactMap { end($0) }
    }
}
