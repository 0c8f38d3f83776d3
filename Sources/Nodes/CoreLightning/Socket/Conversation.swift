import Platform
import LightningCoding

/// The protocol state of one connection, without I/O: what to send, and which response belongs to whom.
struct Conversation<Waiter> {
    /// The result of a command, and its waiter.
    struct Outcome {
        let waiter: Waiter
        let answer: Result<JSONValue, CommandFault>
    }

    private let limits: JSONLimits
    private var splitter: DocumentSplitter
    private var pending: PendingCommands<Waiter>
    private var deadlines: [UInt64: MonotonicTime] = [:]
    /// Why the connection is no longer usable.
    private(set) var fault: CommandFault?
    /// What is still to be sent. Never holds more commands than may be pending.
    private(set) var unsent: ArraySlice<UInt8> = []

    init(_ limits: CommandLimits) {
        self.limits = limits.json
        splitter = DocumentSplitter(limits: limits.json)
        pending = PendingCommands(maximum: limits.maximumPending, maximumEvents: limits.maximumPendingEvents)
    }

    /// The next timeout; nil when nobody waits.
    var nextDeadline: MonotonicTime? { deadlines.values.min() }

    /// Adds a command with a number of its own.
    mutating func submit(
        _ command: Command, _ number: UInt64, _ waiter: Waiter, at now: MonotonicTime
    ) -> [Outcome] {
        if let fault { return [Outcome(waiter: waiter, answer: .failure(fault))] }
        guard pending.add(number, waiter, waitsForEvent: command.waitsForEvent) else {
            return [Outcome(waiter: waiter, answer: .failure(.overloaded))]
        }
        deadlines[number] = now + command.timeout
        unsent += command.request(number)
        return []
    }

    /// Removes sent bytes.
    mutating func sent(_ count: Int) {
        unsent = count < unsent.count ? unsent.dropFirst(count) : []
    }

    mutating func cancel(_ number: UInt64) -> [Outcome] {
        guard let (waiter, _) = giveUp(number) else { return [] }
        return [Outcome(waiter: waiter, answer: .failure(.cancelled))]
    }

    /// Advances the time.
    ///
    /// A node that has sent nothing at all since a command was sent hangs: all commands then fail, and the next one
    /// gets a new connection.
    mutating func pass(to now: MonotonicTime) -> [Outcome] {
        var outcomes: [Outcome] = []
        var isSilent = false
        for number in deadlines.filter({ $0.value <= now }).keys.sorted() {
            guard let late = giveUp(number) else { continue }
            outcomes.append(Outcome(waiter: late.waiter, answer: .failure(.timedOut)))
            isSilent = isSilent || late.isSilent
        }
        return isSilent ? outcomes + end(.timedOut) : outcomes
    }

    /// Processes received bytes.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [Outcome] {
        guard fault == nil else { return [] }
        let documents: [[UInt8]]
        do {
            documents = try splitter.take(bytes)
        } catch {
            return end(.malformed("no JSON: \(error.reason)"))
        }
        var outcomes: [Outcome] = []
        for document in documents where fault == nil { outcomes += take(document) }
        return outcomes
    }

    mutating func lost() -> [Outcome] {
        end(splitter.isWithinDocument ? .malformed("an incomplete answer") : .connectionLost)
    }

    /// Ends the conversation: all waiters get the reason.
    mutating func end(_ reason: CommandFault) -> [Outcome] {
        guard fault == nil else { return [] }
        fault = reason
        unsent = []
        deadlines = [:]
        return pending.removeAll().map { Outcome(waiter: $0, answer: .failure(reason)) }
    }

    private mutating func giveUp(_ number: UInt64) -> (waiter: Waiter, isSilent: Bool)? {
        deadlines[number] = nil
        return pending.giveUp(number)
    }

    private mutating func take(_ document: [UInt8]) -> [Outcome] {
        let message: JSONValue
        do {
            message = try JSONValue(parsing: document, limits: limits)
        } catch {
            return end(.malformed("no JSON: \(error.reason)"))
        }
        guard let number = message["id"].flatMap(Command.number(ofAnswer:)) else {
            return end(.malformed("an answer without a request"))
        }
        deadlines[number] = nil
        switch pending.answer(number) {
        case .unknown: return end(.malformed("an answer without a request"))
        case .nobody: return []
        case .waiter(let waiter): return [Outcome(waiter: waiter, answer: Self.answer(in: message))]
        }
    }

    private static func answer(in message: JSONValue) -> Result<JSONValue, CommandFault> {
        if let result = message["result"] { return .success(result) }
        guard let error = message["error"], let fault = CommandFault(error: error) else {
            return .failure(.malformed("neither result nor error"))
        }
        return .failure(fault)
    }
}
