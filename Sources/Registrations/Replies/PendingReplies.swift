import LNURL
public import Platform

/// Which payers wait for which answers, without a clock or any waiting of its own.
///
/// A question is put to a device once for all who ask it while it is open, except that each payer needs an invoice of
/// their own. It ends once: with the first reply, with a failure, or at its deadline.
public struct PendingReplies<User: Hashable & Sendable, Payer: Sendable>: Sendable {
    /// How many may wait.
    public struct Limits: Hashable, Sendable {
        /// Payers, whoever they ask.
        public var payers = 10_000
        /// Open questions to one user's device, those shared by several payers counted once.
        public var questionsPerUser = 5

        /// The defaults.
        public init() {}
    }

    /// A question that a device is to answer.
    public struct Open: Sendable {
        /// Whose device it is.
        public let user: User
        /// The version of the registration.
        public let version: UInt64
        /// The question.
        public let question: DeviceQuestion
        /// When it was asked.
        public let start: MonotonicTime
        /// When nobody waits any longer.
        public let deadline: MonotonicTime
        /// Who waits.
        public fileprivate(set) var payers: [Payer]
    }

    /// What becomes of a payer who asks.
    public enum Admission: Hashable, Sendable {
        /// The device is to be asked; its reply bears the id given.
        case ask
        /// It was asked already; its answer is this payer's too.
        case wait
        /// Too many wait.
        case full
        /// Too many questions to this user's device are open.
        case busy
    }

    private struct Shared: Hashable {
        let user: User
        let version: UInt64
        let question: DeviceQuestion
    }

    private let limits: Limits
    private var open: [ReplyID: Open] = [:]
    private var shared: [Shared: ReplyID] = [:]
    private var openOf: [User: Int] = [:]
    /// How many wait.
    public private(set) var payers = 0

    /// Creates an empty list.
    public init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// How many questions are open.
    public var questions: Int { open.count }

    /// Adds a payer.
    ///
    /// - Parameters:
    ///   - id: unused until now.
    ///   - start: the present moment.
    ///   - deadline: of the question, if it is a new one.
    public mutating func add(
        _ payer: Payer, asking question: DeviceQuestion, of user: User, version: UInt64, as id: ReplyID,
        from start: MonotonicTime, until deadline: MonotonicTime
    ) -> Admission {
        guard payers < limits.payers else { return .full }
        let key = Shared(user: user, version: version, question: question)
        if let known = shared[key] {
            open[known]?.payers.append(payer)
            payers += 1
            return .wait
        }
        guard openOf[user, default: 0] < limits.questionsPerUser else { return .busy }
        open[id] = Open(
            user: user, version: version, question: question, start: start, deadline: deadline, payers: [payer])
        if question.isShared { shared[key] = id }
        openOf[user, default: 0] += 1
        payers += 1
        return .ask
    }

    /// Whether a question has not ended.
    public func isOpen(_ id: ReplyID) -> Bool { open[id] != nil }

    /// Takes the question that a reply is to, unless it has ended, or its deadline has passed.
    public mutating func take(_ id: ReplyID, at now: MonotonicTime) -> Open? {
        guard let question = open[id], now < question.deadline else { return nil }
        return end(id)
    }

    /// Ends a question; nil when it has ended.
    public mutating func end(_ id: ReplyID) -> Open? {
        guard let ended = open.removeValue(forKey: id) else { return nil }
        let key = Shared(user: ended.user, version: ended.version, question: ended.question)
        if shared[key] == id { shared[key] = nil }
        let rest = openOf[ended.user, default: 1] - 1
        openOf[ended.user] = rest > 0 ? rest : nil
        payers -= ended.payers.count
        return ended
    }

    /// Ends all questions, or those to one user's device.
    public mutating func endAll(of user: User? = nil) -> [Open] {
        let ids = open.filter { user == nil || $0.value.user == user }.keys
        return ids.compactMap { end($0) }
    }
}
