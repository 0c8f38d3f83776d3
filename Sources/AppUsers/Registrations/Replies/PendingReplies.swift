import LNURL
package import Platform

/// Which payers wait for which answers, without a clock or any waiting of its own.
///
/// A question is put to a device once for all who ask it while it is open, except that each payer needs an invoice of
/// their own. It ends once: with the first reply, with a failure, or at its deadline.
package struct PendingReplies<User: Hashable & Sendable, Payer: Sendable>: Sendable {
    /// How many may wait.
    package struct Limits: Hashable, Sendable {
        /// Payers, whoever they ask.
        package var payers = 10_000
        /// Payers of one user: one whose device is silent must not keep everybody else's payers out.
        package var payersPerUser = 500
        /// Open requests for invoices of one user.
        package var invoicesPerUser = 5
        /// Open questions whether invoices of one user are paid, those shared by several payers counted once.
        package var verifiesPerUser = 5

        /// The defaults.
        package init() {}

        /// nil for the limits and metadata, which are one question for all who ask.
        fileprivate func perUser(_ kind: DeviceQuestion.Kind) -> Int? {
            switch kind {
            case .info: nil
            case .invoice: invoicesPerUser
            case .verify: verifiesPerUser
            }
        }
    }

    /// A question that a device is to answer.
    package struct Open: Sendable {
        /// What its reply bears.
        package let id: ReplyID
        /// Whose device it is.
        package let user: User
        /// The version of the registration.
        package let version: UInt64
        package let question: DeviceQuestion
        /// When it was asked.
        package let start: MonotonicTime
        /// When nobody waits any longer.
        package let deadline: MonotonicTime
        /// Who waits.
        package fileprivate(set) var payers: [Payer]
    }

    /// What becomes of a payer who asks.
    package enum Admission: Hashable, Sendable {
        /// The device is to be asked; its reply bears the id given.
        case ask
        /// It was asked already, with that id; its answer is this payer's too.
        case wait(ReplyID)
        /// Too many wait.
        case full
        /// Too many wait for this user's device, or too many questions to it are open.
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

    private var limits: Limits
    private var open: [ReplyID: Open] = [:]
    private var shared: [Shared: ReplyID] = [:]
    private var openOf: [Counted: Int] = [:]
    private var payersOf: [User: Int] = [:]
    /// Open questions as they were asked, which is the order of their deadlines. One that has ended goes when it comes
    /// first.
    private var order: ArraySlice<ReplyID> = []
    /// How many wait.
    package private(set) var payers = 0

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Lets at most so many payers wait from now on, if that is fewer than until now; returns whether it is.
    package mutating func limit(payers: Int) -> Bool {
        guard payers < limits.payers else { return false }
        limits.payers = payers
        return true
    }

    /// How many questions are open.
    package var questions: Int { open.count }

    /// Adds a payer.
    ///
    /// - Parameters:
    ///   - id: unused until now.
    ///   - start: the present moment.
    ///   - deadline: of the question, if it is a new one; not before those of earlier ones.
    package mutating func add(
        _ payer: Payer, asking question: DeviceQuestion, of user: User, version: UInt64, as id: ReplyID,
        from start: MonotonicTime, until deadline: MonotonicTime
    ) -> Admission {
        guard payers < limits.payers else { return .full }
        guard payersOf[user, default: 0] < limits.payersPerUser else { return .busy }
        let key = Shared(user: user, version: version, question: question)
        if let known = shared[key] {
            open[known]?.payers.append(payer)
            count(1, of: user)
            return .wait(known)
        }
        // Also those that every payer has left.
        guard open.count < limits.payers else { return .full }
        let counted = Counted(user: user, kind: question.kind)
        if let limit = limits.perUser(question.kind), openOf[counted, default: 0] >= limit { return .busy }
        open[id] = Open(
            id: id, user: user, version: version, question: question, start: start, deadline: deadline, payers: [payer])
        if question.isShared { shared[key] = id }
        openOf[counted, default: 0] += 1
        count(1, of: user)
        order.append(id)
        return .ask
    }

    private mutating func count(_ change: Int, of user: User) {
        payers += change
        let rest = payersOf[user, default: 0] + change
        payersOf[user] = rest > 0 ? rest : nil
    }

    /// When the first of the open questions ends; nil when there is none.
    package mutating func nextDeadline() -> MonotonicTime? {
        while let id = order.first {
            if let question = open[id] { return question.deadline }
            order.removeFirst()
        }
        return nil
    }

    /// Ends the questions whose deadline has come.
    package mutating func endOverdue(at now: MonotonicTime) -> [Open] {
        var ended: [Open] = []
        while let deadline = nextDeadline(), deadline <= now, let question = order.popFirst().flatMap({ end($0) }) {
            ended.append(question)
        }
        return ended
    }

    /// Whether a question has not ended.
    package func isOpen(_ id: ReplyID) -> Bool { open[id] != nil }

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
        let rest = openOf[counted, default: 1] - 1
        openOf[counted] = rest > 0 ? rest : nil
        count(-ended.payers.count, of: ended.user)
        return ended
    }

    /// Gives the place back of a payer who has gone. The question stays open: the device has been woken, and those who
    /// come and go must not wake it more often than those who wait.
    package mutating func leave(_ id: ReplyID, where isPayer: (Payer) -> Bool) {
        guard let question = open[id], let place = question.payers.firstIndex(where: isPayer) else { return }
        open[id]?.payers.remove(at: place)
        count(-1, of: question.user)
    }

    /// Ends all questions, or those to one user's device.
    package mutating func endAll(of user: User? = nil) -> [Open] {
        let ids = open.filter { user == nil || $0.value.user == user }.keys
        return ids.compactMap { end($0) }
    }
}
